import * as z from 'zod/mini';

const storageKey = 'admin-opened-submissions';

/** The most submissions to remember. */
const most = 2_000;

const stored = z.object({ since: z.string(), ids: z.array(z.string()) });

/** The submissions that the admin opened in this browser since it first showed the list. */
let opened = ((): z.infer<typeof stored> => {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(storageKey) ?? ''));
  } catch {
    return { since: new Date().toISOString(), ids: [] };
  }
})();

/** @param id undefined if no submission is open. */
export function rememberOpened(id: string | undefined): void {
  if (id !== undefined && !opened.ids.includes(id)) opened = { ...opened, ids: [id, ...opened.ids].slice(0, most) };
  try {
    localStorage.setItem(storageKey, JSON.stringify(opened));
  } catch {
    // Without storage, the marks last until the page closes.
  }
}

/** Whether a submission arrived after this browser first showed the list, and was not opened here. */
export function isNew({ id, createdAt }: { id: string; createdAt: string }): boolean {
  return createdAt > opened.since && !opened.ids.includes(id);
}
