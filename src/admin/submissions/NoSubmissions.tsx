import { EmptyState } from '../ui/EmptyState.tsx';
import type { SubmissionFolder } from '../../domain/submission.ts';
import { type KindName, kinds } from './kinds.ts';

interface NoSubmissionsProps {
  list: KindName;
  status: SubmissionFolder;
}

/** Explains why the list is empty and what to do next. */
export function NoSubmissions({ list, status }: NoSubmissionsProps) {
  const { one } = kinds[list];
  if (status === 'quarantine') {
    return (
      <EmptyState title="Nothing in quarantine">
        <p>Submissions that look like spam stay here, with the reasons, until you release them.</p>
      </EmptyState>
    );
  }
  if (status === 'handled') {
    return (
      <EmptyState title="Nothing handled yet">
        <p>To move an {one} here, open it and select “Mark as handled,” or press E.</p>
      </EmptyState>
    );
  }
  if (list === 'applications') {
    return (
      <EmptyState title="No applications in the inbox">
        <p>
          When someone applies on the <a href="/join-team">careers page</a>, the application and resume appear here. If
          email is set up, HR also gets an email.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No inquiries yet">
      <p>
        When someone submits the contact form, the inquiry appears here. If email is set up, the firm also gets an
        email. To try the form, <a href="/contact">send an inquiry yourself</a>.
      </p>
    </EmptyState>
  );
}
