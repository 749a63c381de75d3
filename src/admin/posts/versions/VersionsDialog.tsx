import { useId, useState } from 'react';
import type { PostVersion, PostVersionSummary } from '../../../domain/post.ts';
import { Button } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/Fact.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { PostStatus } from '../PostStatus.tsx';
import { sameText } from '../../unsaved/unsaved-state.ts';
import { type PostForm, withVersion } from '../post-form.ts';
import { PostText } from './PostText.tsx';
import { useVersion, useVersions } from '../queries.ts';

interface VersionsDialogProps {
  postId: string;
  /** The current form values. */
  form: PostForm;
  onPut: (version: PostVersion) => void;
  onClose: () => void;
}

/** Lists the saved versions of a post. Each version can be read, and restored into the form. */
export function VersionsDialog({ postId, form, onPut, onClose }: VersionsDialogProps) {
  const versions = useVersions(postId);
  const [chosen, setChosen] = useState<number>();
  // Preselects the second-newest version, because the form usually already contains the newest one.
  const shown = chosen ?? (versions.data?.[1] ?? versions.data?.[0])?.revision;
  const version = useVersion(postId, shown);
  const failed = versions.isError ? versions : version;
  const next = version.data && withVersion(form, version.data);
  return (
    <Dialog
      title="Versions of this post"
      placement="page"
      onClose={onClose}
      foot={
        <>
          <p className="field-hint">
            Restoring puts this version’s title, content, slug, excerpt and picture into the form. The site doesn’t
            change until you save the post. The post’s status stays the same.
          </p>
          <Button
            look="primary"
            unavailable={!next || version.isPlaceholderData || sameText(next, form)}
            onClick={() => version.data && onPut(version.data)}
          >
            Restore this version
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-6 gap-y-4 xl:grid-cols-[20rem_minmax(0,1fr)]">
        {versions.data ? (
          <VersionList versions={versions.data} chosen={shown} onChoose={setChosen} />
        ) : (
          !versions.isError && <ListSkeleton />
        )}
        <div
          className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-6 gap-y-4 aria-busy:opacity-60"
          aria-busy={version.isPlaceholderData}
        >
          {failed.isError && (
            <FailureNotice
              title={versions.isError ? 'Couldn’t load the versions' : 'Couldn’t load this version'}
              error={failed.error}
              onRetry={() => void failed.refetch()}
              pending={failed.isFetching}
            />
          )}
          {next && !failed.isError && <PostText form={next} />}
          {!version.data && !failed.isError && <span className="skeleton skeleton-editor" />}
        </div>
      </div>
    </Dialog>
  );
}

interface VersionListProps {
  versions: readonly PostVersionSummary[];
  chosen: number | undefined;
  onChoose: (revision: number) => void;
}

function VersionList({ versions, chosen, onChoose }: VersionListProps) {
  const name = useId();
  const [latest] = versions;
  return (
    <fieldset className="version-list">
      <legend className="sr-only">Versions, newest first</legend>
      {versions.map(({ revision, savedAt, savedBy, title, ...version }) => (
        <label key={revision} className="version">
          <input type="radio" name={name} checked={revision === chosen} onChange={() => onChoose(revision)} />
          <span className="grid min-w-0 flex-1 wrap-anywhere">
            <span className="flex flex-wrap justify-between gap-x-3">
              <DateTime iso={savedAt} />
              <PostStatus post={version} />
            </span>
            <span className="text-xs text-ink-soft">{savedBy ?? 'Unknown author'}</span>
            {title !== latest?.title && <span>“{title}”</span>}
            {revision === latest?.revision && <span className="text-xs text-ink-soft">Current saved version</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ListSkeleton() {
  return (
    <div role="status" className="version-list">
      <span className="sr-only">Loading the versions…</span>
      {Array.from({ length: 5 }, (_, row) => (
        <span key={row} className="version">
          <span className="skeleton skeleton-text" />
        </span>
      ))}
    </div>
  );
}
