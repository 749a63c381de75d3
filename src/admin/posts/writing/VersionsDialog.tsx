import { useId, useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import {
  type PostVersion,
  type PostVersionSummary,
  postVersionAnswer,
  postVersionList,
} from '../../../domain/posts/post.ts';
import { Button } from '../../ui/Button.tsx';
import { DateTime } from '../../ui/Fact.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Badge } from '../../ui/Icon.tsx';
import { Loaded } from '../../ui/Notice.tsx';
import { sameText } from '../../unsaved/unsaved-state.ts';
import { statusBadge, useLatest } from '../list.ts';
import { type PostForm, linesOfPost, withVersion } from './post-form.ts';

interface VersionsDialogProps {
  postId: string;
  /** The current form values. */
  form: PostForm;
  onPut: (version: PostVersion) => void;
  onClose: () => void;
}

/** Lists the saved versions of a post. Each version can be read, and restored into the form. */
export function VersionsDialog({ postId, form, onPut, onClose }: VersionsDialogProps) {
  const versions = useLatest(apiPaths.postVersions(postId), postVersionList);
  const [chosen, setChosen] = useState<number>();
  // Preselects the second-newest version, because the form usually already contains the newest one.
  const shown = chosen ?? (versions.data?.[1] ?? versions.data?.[0])?.revision;
  const version = useLatest(shown === undefined ? null : apiPaths.postVersion(postId, shown), postVersionAnswer, true);
  const next = version.data && withVersion(form, version.data);
  return (
    <Dialog
      title="Versions of this post"
      placement="page"
      onClose={onClose}
      foot={
        <>
          <p className="text-ink-soft">
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
        <Loaded what="the versions" query={versions}>
          {(list) => <VersionList versions={list} chosen={shown} onChoose={setChosen} />}
        </Loaded>
        {shown !== undefined && (
          <Loaded what="this version" query={version}>
            {(data) => (
              <div className="aria-busy:opacity-60" aria-busy={version.isPlaceholderData}>
                <PostText form={withVersion(form, data)} />
              </div>
            )}
          </Loaded>
        )}
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
    <fieldset className="m-0 max-h-56 overflow-auto p-0 rule-rule-strong xl:sticky xl:top-0 xl:max-h-[calc(100dvh-11rem)] xl:self-start">
      <legend className="sr-only">Versions, newest first</legend>
      {versions.map(({ revision, savedAt, savedBy, title, ...version }) => (
        <label
          key={revision}
          className="flex min-h-14 cursor-pointer items-start gap-3 px-3 py-2.5 hover:bg-highlight has-checked:bg-highlight has-checked:[box-shadow:inset_3px_0_var(--color-accent)] [label+&]:rule-t-rule"
        >
          <input
            type="radio"
            className="size-5 flex-none"
            name={name}
            checked={revision === chosen}
            onChange={() => onChoose(revision)}
          />
          <span className="grid min-w-0 flex-1 wrap-anywhere">
            <span className="flex flex-wrap justify-between gap-x-3">
              <DateTime iso={savedAt} />
              <Badge {...statusBadge(version)} />
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

/** A post to read: its fields and its text without formatting. */
export function PostText({ form }: { form: PostForm }) {
  return (
    <div className="grid max-w-176 content-start gap-2 wrap-anywhere">
      {linesOfPost(form).map((line, index) => (
        // Two lines may be identical, so only the index is a unique key.
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
