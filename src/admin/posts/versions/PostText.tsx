import { type PostForm, linesOfPost } from '../post-form.ts';

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
