import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../lib/error-text.ts';
import { undo } from '../lib/undo.ts';
import { areEmailsSent } from './delivery-text.ts';
import { kindNameOf, kinds } from './kinds.ts';
import { type Move, movedTo, useMove } from './queries.ts';

const titles = { inbox: 'Back in the inbox', handled: 'Moved to Handled', quarantine: 'Moved to quarantine' } as const;

/**
 * Moves submissions between inbox, Handled and quarantine, with a toast. Toasts for moves out of the inbox offer Undo.
 */
export function useMoveWithToast() {
  const what = ({ submission }: Move) => `${submission.fullName}’s ${kinds[kindNameOf(submission)].one}`;
  const move = useMove({
    onSuccess: (done) => {
      const { submission, to } = done;
      if (to === 'inbox' && submission.status === 'quarantine') {
        showToast({
          title: 'Released to the inbox',
          description: `${what(done)} is in the inbox${areEmailsSent(submission.delivery) ? '. Its emails were already sent.' : ', and its unsent emails will be sent shortly.'}`,
        });
        return;
      }
      showToast({
        title: titles[to],
        description: what(done),
        ...(to !== 'inbox' && undo(() => move.mutate({ submission: movedTo(submission, to), to: 'inbox' }))),
      });
    },
    onError: (error, wanted) =>
      showToast({ title: `Couldn’t move ${what(wanted)}`, description: errorText(error), variant: 'destructive' }),
  });
  return move;
}
