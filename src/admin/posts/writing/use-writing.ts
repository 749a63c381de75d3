import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPaths } from '../../../domain/api-paths.ts';
import { postAnswer, postReceipt, type PostRecord, postRecord, type PostVersion } from '../../../domain/posts/post.ts';
import { postPath } from '../../../domain/posts/post-text.ts';
import { dayTimeText, zonedTimeText } from '../../../lib/dates.ts';
import { showToast } from '../../../lib/toast/toast.ts';
import { publicPage, showFailure } from '../../lib/act.ts';
import { useRequest } from '../../lib/signed-in-request.ts';
import { useUnsaved } from '../../unsaved/use-unsaved.ts';
import { openPost, postList } from '../list.ts';
import { emptyForm, formOf, type PostForm, problemsIn, withSlug, withVersion } from './post-form.ts';

/**
 * Manages the form of a post.
 * @param id the id of the post, or of the unsaved text while the post is new.
 * @param record null for a new post.
 */
export function useWriting(id: string, record: PostRecord | null, onCreated: (post: PostRecord) => void) {
  const client = useQueryClient();
  const send = useRequest();
  /** The post as last saved. */
  const [post, setPost] = useState(record);
  const [opened] = useState(record);
  const [keepsDate, setKeepsDate] = useState(false);
  const isNew = post === null;
  const failed = isNew ? 'Failed to create blog post' : 'Failed to update blog post';

  const store = async (form: PostForm, base: string | null): Promise<PostRecord> => {
    const body = {
      ...form,
      status: form.status === 'published' ? 'published' : 'draft',
      publishAt: form.status === 'scheduled' ? form.publishAt : null,
      publishedAt: form.status === 'published' ? new Date().toISOString() : null,
      revision: base === null ? undefined : Number(base),
      keepOriginalDate: keepsDate,
    };
    // The id of the unsaved text identifies every attempt to create the same post.
    const { data } = isNew
      ? await send(apiPaths.posts, { body, headers: { 'idempotency-key': id }, schema: postReceipt })
      : await send(apiPaths.post(post.id), { method: 'PUT', body, schema: postAnswer });
    void client.invalidateQueries({ queryKey: postList.key });
    return data;
  };
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
    save: store,
    failed,
    reopen: () => openPost(id),
  });

  /** @param base the version to replace; by default, the version that the admin opened. */
  const save = async (base?: string): Promise<boolean> => {
    const problems = problemsIn(unsaved.text);
    if (Object.keys(problems).length > 0) {
      const { publishAt: description } = problems;
      const title = description ? failed : 'Please fill in all required fields';
      showToast({ title, description, variant: 'destructive' });
    }
    const wasPublic = post?.status === 'published';
    const saved = await unsaved.save(problems, base);
    if (!saved) return false;
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
      // The admin may have opened another post meanwhile.
      if (postList.current().open === id) openPost(saved.id);
    }
    return true;
  };

  return {
    ...unsaved,
    post,
    keepsDate,
    setKeepsDate,
    /** The date that a save since the dialog opened replaced; null if no save changed the date of an older post. */
    dateBefore: post && post.dateBefore !== opened?.dateBefore ? post.dateBefore : null,
    putBackDate: async (postId: string) => {
      setPost((await send(apiPaths.putBackPostDate(postId), { method: 'POST', schema: postAnswer })).data);
      void client.invalidateQueries({ queryKey: postList.key });
    },
    edit: (change: Partial<PostForm>) => unsaved.edit(isNew ? withSlug(unsaved.text, change) : change),
    save,
    /** Overwrites the other admin's version; a deleted post is restored first. */
    keepMine: async () => {
      const theirs = unsaved.conflict?.record;
      if (!theirs) return;
      try {
        const current =
          theirs.deletedAt === null
            ? theirs
            : (await send(apiPaths.restorePost(theirs.id), { method: 'POST', schema: postAnswer })).data;
        await save(String(current.revision));
      } catch (error) {
        showFailure(failed, error);
      }
    },
    takeTheirs: () => {
      setPost(unsaved.conflict?.record ?? post);
      unsaved.takeTheirs();
    },
    putVersion: (version: PostVersion) =>
      unsaved.replace(
        withVersion(unsaved.text, version),
        `Version from ${dayTimeText(version.savedAt)} loaded. Save the post to use this version`,
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
