import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { filterInbox } from './inbox-place.ts';
import type { InboxView } from './view.ts';

interface NoInquiriesProps {
  view: InboxView;
  onClear: () => void;
}

/** What the list says where it has no row: why, and what to do next. */
export function NoInquiries({ view, onClear }: NoInquiriesProps) {
  if (view.page > 1) {
    return (
      <EmptyState title="Nothing more on this page">
        <p>Its inquiries were moved meanwhile.</p>
        <Button onClick={() => filterInbox({})}>To the first page</Button>
      </EmptyState>
    );
  }
  if (view.q !== '') {
    return (
      <EmptyState title={`No inquiries match “${view.q}”.`}>
        <p>
          {view.status === 'inbox' ? 'The inbox' : 'The quarantine'} was searched for every word, in names, companies,
          addresses, messages and references.
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
  return (
    <EmptyState title="No inquiries yet">
      <p>
        When somebody sends the contact form, the inquiry appears here and a mail goes to the firm.{' '}
        <a href="/contact">Send one yourself</a> to see that it arrives.
      </p>
    </EmptyState>
  );
}
