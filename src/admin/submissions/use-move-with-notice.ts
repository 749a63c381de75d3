import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';
import { useMove } from './queries.ts';

/** Moves inquiries between inbox and quarantine and says what became of it; what went into quarantine can be taken back. */
export function useMoveWithNotice() {
  const move = useMove({
    onSuccess: ({ inquiry, to }) => {
      if (to === 'inbox') {
        showToast({
          title: 'Released to the inbox',
          description: `${inquiry.fullName}’s inquiry is in the inbox, and its mails are in the outbox.`,
        });
        return;
      }
      showToast({
        title: 'Moved to quarantine',
        description: `${inquiry.fullName}’s inquiry is kept there.`,
        action: {
          label: 'Undo',
          onSelect: () => move.mutate({ inquiry: { ...inquiry, status: 'quarantine' }, to: 'inbox' }),
        },
      });
    },
    onError: (error, { inquiry }) =>
      showToast({
        title: `${inquiry.fullName}’s inquiry was not moved`,
        description: errorText(error),
        variant: 'destructive',
      }),
  });
  return move;
}
