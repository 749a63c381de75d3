import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { momentText } from './UnsavedLine.tsx';
import type { Copy, Text } from './unsaved-state.ts';

interface UnsavedOfferProps {
  unsaved: {
    readonly offer: Copy<Text> | null;
    readonly takeOffer: () => void;
    readonly dismissOffer: () => void;
  };
}

/** Offers unsaved changes that another admin wrote, or that started from an earlier version. */
export function UnsavedOffer({ unsaved: { offer, takeOffer, dismissOffer } }: UnsavedOfferProps) {
  if (!offer) return null;
  const when = momentText(offer.updatedAt);
  return (
    <Notice title={offer.by === null ? `You have unsaved changes from ${when}` : `${offer.by} has unsaved changes`}>
      <p>
        {offer.by === null
          ? 'They started from an earlier version, so they are not in the form.'
          : `The changes are from ${when}. They are not in the form.`}
        {offer.text['title'] && ` Title: “${offer.text['title']}”.`}
      </p>
      <div className="actions">
        <Button onClick={takeOffer}>Use these changes</Button>
        <Button look="quiet" onClick={dismissOffer}>
          {offer.by === null ? 'Discard changes' : 'Dismiss'}
        </Button>
      </div>
    </Notice>
  );
}
