import * as z from 'zod/mini';
import { attempt } from '../../lib/request/attempt.ts';

/** The most submissions to remember. */
const most = 2_000;

const stored = z.object({ since: z.string(), ids: z.array(z.string()) });

/** The submissions that an admin opened in this browser since it first showed the list to this admin. */
let opened: { readonly by: string } & z.infer<typeof stored> = { by: '', since: '', ids: [] };

const nameOf = (by: string) => `admin-opened-submissions/${by}`;

/** Reads what the browser stores, because another tab may have stored other submissions. */
function read(by: string): typeof opened {
  const kept = attempt(() => stored.parse(JSON.parse(localStorage.getItem(nameOf(by)) ?? '')));
  if (kept) return { by, ...kept };
  return opened.by === by ? opened : { by, since: new Date().toISOString(), ids: [] };
}

/**
 * @param by the admin's email address.
 * @param id undefined if no submission is open.
 */
export function rememberOpened(by: string, id: string | undefined): void {
  opened = read(by);
  if (id !== undefined && !opened.ids.includes(id)) opened = { ...opened, ids: [id, ...opened.ids] };
  // All submissions until now count as opened, so the list of ids stays short.
  if (opened.ids.length > most) opened = { by, since: new Date().toISOString(), ids: [] };
  const name = nameOf(by);
  const text = JSON.stringify(opened);
  // Writes only a change, because another tab may have stored an id that this tab does not see yet. Without storage, the
  // marks last until the page closes.
  attempt(() => localStorage.getItem(name) === text || localStorage.setItem(name, text));
}

/** Whether a submission arrived after this browser first showed the list to the admin, and was not opened here. */
export function isNew(by: string, { id, createdAt }: { id: string; createdAt: string }): boolean {
  if (opened.by !== by) opened = read(by);
  return createdAt > opened.since && !opened.ids.includes(id);
}
