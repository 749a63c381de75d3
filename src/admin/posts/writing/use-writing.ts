import { useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { type PostRecord, postAnswer, postRecord, type PostVersion } from '../../../domain/post.ts';
import { postPath } from '../../../domain/post-text.ts';
import { dayTimeText, zonedTimeText } from '../../../lib/dates.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { publicPage } from '../../lib/act.ts';
import { useRequest } from '../../lib/signed-in-request.ts';
import { useUnsaved } from '../../unsaved/use-unsaved.ts';
import { emptyForm, formOf, type PostForm, problemsIn, withSlug, withVersion } from '../post-form.ts';
import { nameOpenPost, openPost } from '../list/list.ts';
import { useSave } from '../queries.ts';

/** Whether a post was published more than a day ago, so that a changed date would be noticed. */
export const isOld = (publishedAt: string | null | undefined): boolean =>
  Boolean(publishedAt) && Date.now() - Date.parse(publishedAt ?? '') > 86_400_000;

/**
 * Manages the form of a post.
 * @param id the id of the post, or of the unsaved text while the post is new.
 * @param record null for a new post.
 */
export function useWriting(id: string, record: PostRecord | null, onCreated: (post: PostRecord) => void) {
  const send = useRequest();
  const store = useSave();
  /** The post as last saved. */
  const [post, setPost] = useState(record);
  const [keepsDate, setKeepsDate] = useState(false);
  /** Whether a save since the dialog opened changed a date that was more than a day old. */
  const [dateChanged, setDateChanged] = useState(false);
  const isNew = post === null;
  const failed = isNew ? 'Failed to create blog post' : 'Failed to update blog post';

  const unsaved = useUnsaved<PostForm, PostRecord | null>({
    kind: 'post',
    id,
    idOf: (saved) => saved?.id ?? id,
    record: post,
    read: (saved, sent) => {
      if (!saved) return { version: null, text: emptyForm };
      // The server sets the slug and the time. The other fields stay as typed, so the editor keeps its cursor.
      const text = sent ? { ...sent, slug: saved.slug, publishAt: saved.publishAt ?? '' } : formOf(saved);
      return { version: String(saved.revision), text };
    },
    parse: (current) => postRecord.safeParse(current).data ?? null,
    save: (form, base) =>
      store.mutateAsync({
        id: post?.id ?? null,
        form,
        revision: base === null ? undefined : Number(base),
        key: id,
        keepOriginalDate: keepsDate,
      }),
    failed,
    reopen: () => openPost(id),
  });

  /**
   * @param lacksTime the post is scheduled, but its time is empty or incomplete.
   * @param base the version to replace; by default, the version that the admin opened.
   */
  const save = async (lacksTime: boolean, base?: string): Promise<boolean> => {
    const problems = problemsIn(unsaved.text, lacksTime);
    if (Object.keys(problems).length > 0) {
      const { publishAt } = problems;
      showToast({
        title: publishAt ? failed : 'Please fill in all required fields',
        description: publishAt,
        variant: 'destructive',
      });
    }
    const wasPublic = post?.status === 'published';
    const saved = await unsaved.save(problems, base);
    if (!saved) return false;
    setDateChanged((before) => saved.dateBefore !== null && (before || isOld(post?.publishedAt)));
    setPost(saved);
    setKeepsDate(false);
    showToast({
      title: isNew ? 'Blog post created successfully!' : 'Blog post updated successfully!',
      ...(saved.publishAt !== null
        ? { description: `The site will publish the post on ${zonedTimeText(saved.publishAt)}.` }
        : saved.status === 'published'
          ? publicPage(postPath(saved.slug), 'server')
          : wasPublic && { description: 'The post is off the blog.' }),
    });
    if (isNew) {
      onCreated(saved);
      nameOpenPost(id, saved.id);
    }
    return true;
  };

  return {
    ...unsaved,
    post,
    dateChanged,
    /** Continues with the same post after another change of it. */
    replacePost: (changed: PostRecord) => {
      setDateChanged(false);
      setPost(changed);
    },
    keepsDate,
    setKeepsDate,
    edit: (change: Partial<PostForm>) => unsaved.edit(isNew ? withSlug(unsaved.text, change) : change),
    save,
    /** Overwrites the other admin's version; a deleted post is restored first. */
    keepMine: async (lacksTime: boolean) => {
      const theirs = unsaved.conflict?.record;
      if (!theirs) return;
      const current =
        theirs.deletedAt === null
          ? theirs
          : (await send(apiPaths.restorePost(theirs.id), { method: 'POST', schema: postAnswer })).data;
      await save(lacksTime, String(current.revision));
    },
    takeTheirs: () => {
      setPost(unsaved.conflict?.record ?? post);
      unsaved.takeTheirs();
    },
    putVersion: (version: PostVersion) =>
      unsaved.replace(
        withVersion(unsaved.text, version),
        `You loaded the version of ${dayTimeText(version.savedAt)}. Save the post to keep it`,
      ),
    /**
     * Sends unsaved text to the server.
     * @returns the path of the preview, which shows this text, or the saved post if nothing is unsaved.
     */
    storeForPreview: async (): Promise<string> => {
      await unsaved.flush();
      return `/blog/preview/${post?.id ?? id}${unsaved.changed ? '' : '?saved'}`;
    },
  };
}

export type Writer = ReturnType<typeof useWriting>;
