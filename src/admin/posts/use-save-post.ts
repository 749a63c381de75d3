import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PostRecord, postAnswer, postRecord } from '../../domain/post.ts';
import { ApiError } from '../../lib/api.ts';
import { newSubmissionKey } from '../../lib/forms/submission-key.ts';
import { zonedTimeText } from '../../lib/dates.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../ui/error-text.ts';
import { useRequest } from '../ui/signed-in-request.ts';
import { missingIn } from './post-form.ts';
import { useSave } from './queries.ts';
import type { WritingState } from './use-writing.ts';

type FieldErrors = Readonly<Record<string, string>>;

interface SavePostOptions {
  writing: WritingState;
  onSaved: (post: PostRecord, created: boolean) => void;
  /** What only the fields know to be wrong, such as half a date; keyed by the field's name. */
  problems: () => FieldErrors;
  /** The first field that keeps the post from being saved. */
  onWrong: (field: string) => void;
}

/** Saves what is written, with everything that can be said against it. */
export function useSavePost({ writing, onSaved, problems, onWrong }: SavePostOptions) {
  const send = useRequest();
  const save = useSave();
  const [key] = useState(newSubmissionKey);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** The post as somebody else left it, while the choice between the two texts is open. */
  const [conflict, setConflict] = useState<PostRecord | null>(null);

  const refused = (error: unknown, created: boolean) => {
    if (error instanceof ApiError) {
      const current = postRecord.safeParse(error.current);
      if (current.success) {
        setConflict(current.data);
        return;
      }
      if (error.errors) {
        // The field that is wrong lies below the choice between two texts.
        setConflict(null);
        setErrors(error.errors);
        const [first] = Object.keys(error.errors);
        if (first) onWrong(first);
      }
    }
    showToast({
      title: failed(created),
      description: errorText(error),
      variant: 'destructive',
    });
  };

  /** @param revision the one that is saved over, where it is not the one from which the writing began. */
  const saveNow = async (revision = writing.base.revision): Promise<boolean> => {
    if (save.isPending) return false;
    const { form, postId: id } = writing.now();
    const missing = missingIn(form);
    setErrors(Object.fromEntries(missing.map((field) => [field, missingTexts[field]])));
    if (missing[0]) {
      showToast({ title: 'Please fill in all required fields', variant: 'destructive' });
      onWrong(missing[0]);
      return false;
    }
    const [wrong] = Object.entries(problems());
    if (wrong) {
      const [field, text] = wrong;
      setErrors({ [field]: text });
      showToast({ title: failed(id === null), description: text, variant: 'destructive' });
      onWrong(field);
      return false;
    }
    try {
      const post = await save.mutateAsync({ id, form, revision, key });
      setConflict(null);
      showToast({
        title: id === null ? 'Blog post created successfully!' : 'Blog post updated successfully!',
        ...(post.publishAt !== null && { description: `It appears on the blog on ${zonedTimeText(post.publishAt)}.` }),
      });
      if (post.status === 'published' || writing.base.saved.status === 'published') {
        // A browser that can't fetch the code shows no state; the post is saved.
        void import('../live/watch.tsx').then(
          ({ watchPost }) => watchPost(post),
          () => undefined,
        );
      }
      await writing.stored(post, form);
      onSaved(post, id === null);
      return true;
    } catch (error) {
      refused(error, id === null);
      return false;
    }
  };

  return {
    saveNow,
    pending: save.isPending,
    errors,
    conflict,
    setConflict,
    forgetError: (field: string) => setErrors(({ [field]: _gone, ...rest }) => rest),
    /** Saves over what somebody else saved; a deleted post is restored first. */
    async keepMine(): Promise<boolean> {
      if (!conflict) return false;
      if (conflict.deletedAt === null) return await saveNow(conflict.revision);
      try {
        const restored = await send(apiPaths.restorePost(conflict.id), { method: 'POST', schema: postAnswer });
        return await saveNow(restored.data.revision);
      } catch (error) {
        refused(error, false);
        return false;
      }
    },
  };
}

const failed = (created: boolean) => (created ? 'Failed to create blog post' : 'Failed to update blog post');

const missingTexts = {
  title: 'Please enter a title.',
  slug: 'Please enter a slug.',
  content: 'Please enter the content.',
} as const;
