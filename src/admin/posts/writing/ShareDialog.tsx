import { keptDays } from '../../../domain/retention.ts';
import { Button, copyText } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/Fact.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { withToast } from '../../lib/act.ts';
import { useCreateShareLink, useRevokeShareLink, useShareLinks } from '../queries.ts';

interface ShareDialogProps {
  /** The id of the post, or of the unsaved text while the post is new. */
  id: string;
  /** Sends the form's text to the server, because a link shows the server's copy. */
  store: () => Promise<unknown>;
  onClose: () => void;
}

/** Creates, copies and revokes share links. With a share link, people who are not signed in can read the draft. */
export function ShareDialog({ id: shared, store, onClose }: ShareDialogProps) {
  const links = useShareLinks(shared);
  const create = useCreateShareLink(shared, store);
  const revoke = useRevokeShareLink(shared);
  const address = (path: string) => new URL(path, window.location.href).href;

  return (
    <Dialog title="Share a preview" onClose={onClose}>
      <p>
        Anyone with a link can read your unsaved changes, or the saved post if nothing is unsaved. A link expires after{' '}
        {keptDays.shareLink} days, or when you revoke it.
      </p>
      {links.isError && (
        <FailureNotice
          title="Couldn’t load the links"
          error={links.error}
          onRetry={() => void links.refetch()}
          pending={links.isFetching}
        />
      )}
      {links.isPending && <p role="status">Loading the links…</p>}
      {links.data?.length === 0 && <p>This post has no active share link.</p>}
      {links.data && links.data.length > 0 && (
        <ul className="rows" aria-label="Active links">
          {links.data.map(({ id, path, createdAt, expiresAt }, index) => {
            const name = `link ${index + 1} of ${links.data.length}`;
            return (
              <li key={id} className="gap-y-2 py-3">
                <p>
                  Created <DateTime iso={createdAt} />
                  <br />
                  Expires <DateTime iso={expiresAt} zoned />
                </p>
                <div className="actions">
                  <Button icon="copy" aria-label={`Copy ${name}`} onClick={() => void copyText(address(path), 'link')}>
                    Copy link
                  </Button>
                  <Button
                    look="destructive"
                    icon="bin"
                    aria-label={`Revoke ${name}`}
                    onClick={() =>
                      void withToast(
                        revoke.mutateAsync(id),
                        () => ({ title: 'Link revoked', description: 'The link no longer opens the preview.' }),
                        'Couldn’t revoke the link',
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
      <div className="actions">
        <Button
          look="primary"
          icon="link"
          onClick={() =>
            void withToast(create.mutateAsync(), () => ({ title: 'Link created' }), 'Couldn’t create the link')
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
