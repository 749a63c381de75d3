import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { withNotice } from '../ui/with-notice.ts';
import { useCreateShareLink, useRevokeShareLink, useShareLinks } from './queries.ts';

interface ShareDialogProps {
  /** The draft's key. */
  draft: string;
  /** Keeps the draft on the server, as it is in the form now. */
  keepDraft: () => Promise<unknown>;
  onClose: () => void;
}

/** Links with which people who are not signed in read the draft: makes, copies and revokes them. */
export function ShareDialog({ draft, keepDraft, onClose }: ShareDialogProps) {
  const links = useShareLinks(draft);
  const create = useCreateShareLink(draft, keepDraft);
  const revoke = useRevokeShareLink(draft);
  const address = (path: string) => new URL(path, window.location.href).href;

  return (
    <Dialog title="Share this draft" onClose={onClose}>
      <p>
        Anyone with a link can read the draft, including changes that you haven’t saved in the post yet. A link ends
        after 7 days, or when you revoke it.
      </p>
      {links.isError && (
        <FailureNotice
          title="Could not load the links"
          error={links.error}
          onRetry={() => void links.refetch()}
          pending={links.isFetching}
        />
      )}
      {links.isPending && <p role="status">Loading the links…</p>}
      {links.data?.length === 0 && <p>This draft has no active link.</p>}
      {links.data && links.data.length > 0 && (
        <ul className="share-links" aria-label="Active links">
          {links.data.map(({ id, path, createdAt, expiresAt }, index) => {
            const name = `link ${index + 1} of ${links.data.length}`;
            return (
              <li key={id}>
                <p>
                  Created <DateTime iso={createdAt} />
                  <br />
                  Ends <DateTime iso={expiresAt} zoned />
                </p>
                <div className="share-link-actions">
                  <Button icon="copy" aria-label={`Copy ${name}`} onClick={() => void copyText(address(path), 'link')}>
                    Copy link
                  </Button>
                  <Button
                    look="destructive"
                    icon="bin"
                    aria-label={`Revoke ${name}`}
                    onClick={() =>
                      void withNotice(
                        revoke.mutateAsync(id),
                        () => ({ title: 'The link was revoked', description: 'It no longer shows the draft.' }),
                        'Could not revoke the link',
                      )
                    }
                    pending={revoke.isPending && revoke.variables === id}
                    pendingLabel="Revoking…"
                  >
                    Revoke link
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      <div className="dialog-actions">
        <Button
          look="primary"
          icon="link"
          onClick={() =>
            void withNotice(
              create.mutateAsync(),
              () => ({ title: 'The link was created' }),
              'Could not create the link',
            )
          }
          pending={create.isPending}
          pendingLabel="Creating…"
        >
          Create link
        </Button>
      </div>
    </Dialog>
  );
}
