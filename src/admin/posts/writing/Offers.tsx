import { startTransition, useState } from 'react';
import { afterFrame } from '../../../lib/after-frame.ts';
import { Button } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Comparison } from '../versions/Comparison.ts';
import type { Offer } from './offers.ts';
import type { PostForm } from '../post-form.ts';

interface OffersProps {
  offers: readonly Offer[];
  /** The current form values. */
  form: PostForm;
  onRestore: (offer: Offer) => void;
  onDiscard: (offer: Offer) => void;
}

/** Lists unsaved changes to compare, restore or discard. The form never restores changes automatically. */
export function Offers({ offers, form, onRestore, onDiscard }: OffersProps) {
  const [shown, setShown] = useState<Offer | null>(null);
  if (offers.length === 0) return null;
  const restoreShown = (offer: Offer) => {
    setShown(null);
    // The editor takes a while to show a long text, so the dialog closes first.
    afterFrame(() => onRestore(offer));
  };
  return (
    <Notice title="You have unsaved changes">
      <ul className="grid w-full gap-3">
        {offers.map((offer) => (
          <li
            key={`${offer.key}:${offer.sitting}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 not-first:pt-3 not-first:rule-t-rule"
          >
            <p>
              <DateTime iso={offer.savedAt} />
              {offer.form.title && <> · “{offer.form.title}”</>}
            </p>
            <div className="actions">
              <Button onClick={() => startTransition(() => setShown(offer))}>Compare</Button>
              <Button onClick={() => onRestore(offer)}>Restore</Button>
              <Button look="quiet" onClick={() => onDiscard(offer)}>
                Discard
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog title="Your unsaved changes" placement="page" onClose={() => setShown(null)}>
          <Comparison
            fallback={<span className="skeleton skeleton-editor" />}
            left={{ label: 'In the editor', form }}
            right={{ label: 'Your unsaved changes', form: shown.form }}
          />
          <div className="actions">
            <Button look="primary" onClick={() => restoreShown(shown)}>
              Restore these changes
            </Button>
            <Button onClick={() => setShown(null)}>Not now</Button>
          </div>
        </Dialog>
      )}
    </Notice>
  );
}
