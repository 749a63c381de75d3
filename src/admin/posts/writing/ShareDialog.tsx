import { apiPaths } from '../../../domain/api-paths.ts';
import { keptDays } from '../../../domain/submissions/retention.ts';
import { shareLinkAnswer, shareLinkList } from '../../../domain/posts/post.ts';
import { useAct } from '../../lib/act.ts';
import { Button, copyText } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/Fact.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Notice.tsx';
import { latestKey, useLatest } from '../list.ts';

interface ShareDialogProps {
  /** The id of the post, or of the unsaved text while the post is new. */
  id: string;
  /** Sends the form's text to the server, because a link shows the server's copy. */
  store: () => Promise<unknown>;
  onClose: () => void;
}

/** Creates, copies and revokes share links. With a share link, people who are not signed in can read the draft. */
export function ShareDialog({ id: shared, store, onClose }: ShareDialogProps) {
  const path = apiPaths.shareLinks(shared);
  const links = useLatest(path, shareLinkList);
  const create = useAct(
    async (send) => {
      await store();
      await send(path, { method: 'POST', schema: shareLinkAnswer });
    },
    { done: () => ({ title: 'Link created' }), failed: 'Couldn’t create the link', refresh: latestKey },
  );
  const revoke = useAct((send, id: string) => send(apiPaths.shareLink(shared, id), { method: 'DELETE' }), {
    done: () => ({ title: 'Link revoked', description: 'The link no longer opens the preview.' }),
    failed: 'Couldn’t revoke the link',
    refresh: latestKey,
  });

  return (
    <Dialog title="Share a preview" onClose={onClose}>
      <p>
        Anyone with a link can read the post with your unsaved changes. A link expires after {keptDays.shareLink} days,
        or when you revoke it.
      </p>
      <Loaded what="the links" query={links} skeleton={<span className="skeleton h-6" />}>
        {(active) =>
          active.length === 0 ? (
            <p>This post has no active share link.</p>
          ) : (
            <ul className="rows" aria-label="Active links">
              {active.map((link, index) => {
                const name = `link ${index + 1} of ${active.length}`;
                return (
                  <li key={link.id} className="gap-y-2 py-3">
                    <p>
                      Created <DateTime iso={link.createdAt} />
                      <br />
                      Expires <DateTime iso={link.expiresAt} zoned />
                    </p>
                    <div className="actions">
                      <Button
                        icon="copy"
                        aria-label={`Copy ${name}`}
                        onClick={() =>
                          void copyText({ text: new URL(link.path, window.location.href).href, what: 'link' })
                        }
                      >
                        Copy link
                      </Button>
                      <Button
                        act={revoke}
                        input={link.id}
                        look="destructive"
                        icon="bin"
                        aria-label={`Revoke ${name}`}
                        pendingLabel="Revoking…"
                      >
                        Revoke link
                      </Button>
                    </div>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
      {/* The dialog grows when the links arrive, and a press next to it would close it. */}
      {links.data && (
        <div className="actions">
          <Button act={create} look="primary" icon="link" pendingLabel="Creating…">
            Create link
          </Button>
        </div>
      )}
    </Dialog>
  );
}
