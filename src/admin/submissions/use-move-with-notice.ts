import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';
import { kindNameOf, kinds } from './kinds.ts';
import { type Move, movedTo, useMove } from './queries.ts';

const titles = { inbox: 'Back in the inbox', handled: 'Marked as handled', quarantine: 'Moved to quarantine' } as const;

/** Moves submissions between their places and says what became of it; what was put away can be taken back. */
export function useMoveWithNotice() {
  const what = ({ submission }: Move) => `${submission.fullName}’s ${kinds[kindNameOf(submission)].one}`;
  const move = useMove({
    onSuccess: (done) => {
      const { submission, to } = done;
      if (to === 'inbox' && submission.status === 'quarantine') {
        showToast({
          title: 'Released to the inbox',
          description: `${what(done)} is in the inbox, and its messages are in the outbox.`,
        });
        return;
      }
      showToast({
        title: titles[to],
        description: to === 'inbox' ? `${what(done)} is open again.` : `${what(done)} is kept there.`,
        ...(to !== 'inbox' && {
          action: {
            label: 'Undo',
            onSelect: () => move.mutate({ submission: movedTo(submission, to), to: 'inbox' }),
          },
        }),
      });
    },
    onError: (error, wanted) =>
      showToast({ title: `${what(wanted)} was not moved`, description: errorText(error), variant: 'destructive' }),
  });
  return move;
}
