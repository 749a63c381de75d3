import * as z from 'zod/mini';
import { attempt } from '../../request/attempt.ts';

/**
 * The key of a draft in session storage is this prefix followed by the form's name and variant. If session storage is
 * not empty, the page loads enhance.ts immediately, so the draft is restored before the visitor reaches the form.
 */
export const draftPrefix = 'draft:';

const draft = /* @__PURE__ */ z.object({
  /** Text by field name, without the file and the hidden field that detects bots. */
  values: z.record(z.string(), z.string()),
  /** Time when the visitor opened the page on which the draft began, in milliseconds since 1970. */
  since: z.number(),
  /** The last submission that received no success response. If the input is unchanged, a retry uses the same key. */
  sent: z.optional(z.object({ key: z.string(), input: z.string() })),
});

type Draft = z.infer<typeof draft>;

/**
 * Returns the store for a form's draft, which lasts until the tab is closed. If the browser blocks session storage,
 * nothing is stored, and no error is thrown.
 */
export function draftStore(name: string, variant: string) {
  const key = `${draftPrefix}${name}:${variant}`;
  return {
    read: () => attempt(() => draft.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))),
    write: (written: Draft) => attempt(() => sessionStorage.setItem(key, JSON.stringify(written))),
    clear: () => attempt(() => sessionStorage.removeItem(key)),
  };
}
