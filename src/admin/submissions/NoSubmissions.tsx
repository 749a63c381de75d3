import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { filterInbox } from './inbox-place.ts';
import { kinds } from './kinds.ts';
import type { InboxView } from './view.ts';

interface NoSubmissionsProps {
  view: InboxView;
  onClear: () => void;
}

const places = { inbox: 'The inbox was', handled: 'What is handled was', quarantine: 'The quarantine was' } as const;

/** What the list says where it has no row: why, and what to do next. */
export function NoSubmissions({ view, onClear }: NoSubmissionsProps) {
  const { one, many } = kinds[view.list];
  if (view.page > 1) {
    return (
      <EmptyState title="Nothing more on this page">
        <p>Its {many} were moved meanwhile.</p>
        <Button onClick={() => filterInbox({})}>To the first page</Button>
      </EmptyState>
    );
  }
  if (view.q !== '') {
    return (
      <EmptyState title={`No ${many} match “${view.q}”.`}>
        <p>
          {places[view.status]} searched for every word, in names, addresses, references and everything that was
          written.
        </p>
        <Button icon="cross" onClick={onClear}>
          Clear search
        </Button>
      </EmptyState>
    );
  }
  if (view.status === 'quarantine') {
    return (
      <EmptyState title="Nothing in quarantine">
        <p>What looks like a robot’s is held here, with the reasons, until you release it. Nothing is ever dropped.</p>
      </EmptyState>
    );
  }
  if (view.status === 'handled') {
    return (
      <EmptyState title="Nothing handled yet">
        <p>Mark an {one} as handled, by its button or with the key “e”, and it leaves the inbox for this place.</p>
      </EmptyState>
    );
  }
  if (view.list === 'applications') {
    return (
      <EmptyState title="No applications in the inbox">
        <p>
          When somebody sends the form of the careers page, the application appears here with its resume, and a mail
          goes to HR. <a href="/join-team">See the page</a>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No inquiries yet">
      <p>
        When somebody sends the contact form, the inquiry appears here and a mail goes to the firm.{' '}
        <a href="/contact">Send one yourself</a> to see that it arrives.
      </p>
    </EmptyState>
  );
}
