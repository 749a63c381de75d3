import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Comparison } from './Comparison.tsx';
import type { Offer } from './offers.ts';
import type { PostForm } from './post-form.ts';

interface OffersProps {
  offers: readonly Offer[];
  /** What the form holds now. */
  form: PostForm;
  onRestore: (offer: Offer) => void;
  onDiscard: (offer: Offer) => void;
}

/** Earlier writing that was not saved: it can be looked at, put back or discarded, and is never put back unasked. */
export function Offers({ offers, form, onRestore, onDiscard }: OffersProps) {
  const [shown, setShown] = useState<Offer | null>(null);
  if (offers.length === 0) return null;
  const restore = (offer: Offer) => {
    setShown(null);
    onRestore(offer);
  };
  return (
    <Notice title="You wrote here before, and did not save it">
      <ul className="offers">
        {offers.map((offer) => (
          <li key={`${offer.key}:${offer.sitting}`}>
            <p>
              <DateTime iso={offer.savedAt} />
              {offer.form.title && <> · “{offer.form.title}”</>}
            </p>
            <div className="offer-actions">
              <Button onClick={() => setShown(offer)}>Compare</Button>
              <Button onClick={() => restore(offer)}>Restore</Button>
              <Button look="quiet" onClick={() => onDiscard(offer)}>
                Discard
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog title="What you wrote before" placement="page" onClose={() => setShown(null)}>
          <Comparison
            left={{ label: 'In the form now', form }}
            right={{ label: 'What you wrote before', form: shown.form }}
          />
          <div className="dialog-actions">
            <Button look="primary" onClick={() => restore(shown)}>
              Restore what you wrote
            </Button>
            <Button onClick={() => setShown(null)}>Leave it for now</Button>
          </div>
        </Dialog>
      )}
    </Notice>
  );
}
