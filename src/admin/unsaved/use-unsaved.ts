import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type UnsavedKind,
  type UnsavedRecord,
  unsavedAnswer,
  unsavedReceipt,
  unsavedRecord,
} from '../../domain/unsaved.ts';
import { ApiError, request } from '../../lib/request/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { showFailure, undo } from '../lib/act.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { useSession } from '../session/queries.ts';
import { backup, nothingStored } from './backup.ts';
import { deviceCopies, dropFromDevice, keepOnDevice, unsavedKey } from './copies.ts';
import * as states from './unsaved-state.ts';
import type { Copy, FieldErrors, Saved, Text, UnsavedState } from './unsaved-state.ts';

interface UnsavedOptions<T extends Text, R> {
  readonly kind: UnsavedKind;
  /** The id of the record, or an id for the text of a new record. */
  readonly id: string;
  /** Returns the id of a record that was new. Without this function, the id stays the same. */
  readonly idOf?: (record: R) => string;
  /** The saved record. */
  readonly record: R;
  /** @param sent the text of the save that the record answers. */
  readonly read: (record: R, sent?: T) => Saved<T>;
  /** Reads the record of a refused save; null if the save was refused for another reason. */
  readonly parse: (current: unknown) => R | null;
  /** @param base the version of the record that the save may replace. */
  readonly save: (text: T, base: string | null) => Promise<R>;
  /** The title of the toast after a failed save. */
  readonly failed: string;
  /** Opens the editor again, to undo after it was closed. */
  readonly reopen: () => void;
}

type Stored<T extends Text> = Pick<Copy<T>, 'base' | 'text' | 'older'>;

/**
 * Manages the text of an editor: unsaved changes, their backup, saving, and the choice after a conflict. The admin's
 * own changes continue when the editor opens again; changes that started from another version are offered.
 */
export function useUnsaved<T extends Text, R>(options: UnsavedOptions<T, R>) {
  const { kind, id, record, read } = options;
  const client = useQueryClient();
  const send = useRequest();
  const by = useSession().data?.user.email ?? '';
  const [state, setState] = useState(() => states.opened<T, R>(read(record)));
  const [backedUp, setBackedUp] = useState(nothingStored);
  // Refs, because several events may occur before the next render.
  const latest = useRef(state);
  const place = useRef({ kind, id, by });
  const mounted = useRef(false);
  /** When the server stored the changes that this editor knows, and the texts whose storing it did not confirm since. */
  const known = useRef<{ at: string; sent: T[] }>({ at: '', sent: [] });

  const toDevice = (value: Stored<T>) =>
    keepOnDevice({
      ...value,
      ...place.current,
      was: known.current.at,
      sent: known.current.sent.at(-1) ?? null,
      updatedAt: new Date().toISOString(),
    });
  const toServer = async (body: Stored<T> | null): Promise<void> => {
    const { at, sent } = known.current;
    const path = `${apiPaths.unsaved(kind, place.current.id)}?${new URLSearchParams({ was: at })}`;
    if (body) sent.push(body.text);
    try {
      // Does not ask the admin to sign in, because that would interrupt typing.
      const answer = body && (await request(path, { method: 'PUT', body, schema: unsavedReceipt }));
      if (!body) await request(path, { method: 'DELETE' });
      known.current = { at: answer?.data.updatedAt ?? '', sent: [] };
    } catch (error) {
      const other = error instanceof ApiError ? unsavedRecord.safeParse(error.current).data : undefined;
      if (!other) throw error;
      known.current.at = other.updatedAt;
      const copy = copyOf<T>(other, other.by, latest.current.saved.text);
      if (![...sent, latest.current.text].some((own) => states.sameText(own, copy.text))) {
        // Another tab or another computer stored other changes. They become the offer, and stay stored with this text.
        // There is one offer, so of three texts the earliest is dropped.
        copies.found(copy.updatedAt);
        put({ ...latest.current, offer: copy }, false);
      }
      await toServer(storedOf(latest.current));
    }
  };
  const [copies] = useState(() =>
    backup<Stored<T>>({
      toServer,
      toDevice: (value) => (value === null ? dropFromDevice(place.current) : toDevice(value)),
      onState: setBackedUp,
    }),
  );

  const put = (next: UnsavedState<T, R>, needsBackup = true): UnsavedState<T, R> => {
    const before = latest.current;
    latest.current = next;
    setState(next);
    if (needsBackup && (next.text !== before.text || next.offer !== before.offer)) copies.changed(storedOf(next));
    return next;
  };

  const findStored = useEffectEvent(async () => {
    place.current = { kind, id, by };
    const here = deviceCopies(by).find((copy) => copy.kind === kind && copy.id === id);
    // Without the server, only the copy in this browser is known.
    const answer = await send(apiPaths.unsaved(kind, id), { schema: unsavedAnswer }).catch(() => null);
    // If this editor has stored text since, the answer is out of date.
    const stored = known.current.at === '' && answer ? answer.data : null;
    const newest = here ?? stored;
    if (!newest || !mounted.current) return;
    const copyIn = (one: UnsavedRecord) => copyOf<T>(one, by, latest.current.saved.text);
    let copy = copyIn(newest);
    if (stored?.by === by) {
      known.current.at = stored.updatedAt;
      copies.found(stored.updatedAt);
      // Another computer stored text while this browser had no connection.
      const isHere = [here?.text, here?.sent].some((own) => own && states.sameText(own, stored.text));
      const differs = here && here.was !== stored.updatedAt && !isHere;
      if (differs) copy = { ...copy, older: copyIn(stored) };
    }
    const hasTyped = states.isChanged(latest.current);
    put(states.found(latest.current, copy), false);
    if (here) dropFromDevice(place.current);
    const stores = storedOf(latest.current);
    if (here || hasTyped || !stores) copies.changed(stores);
    copies.leave();
  });
  useEffect(() => {
    mounted.current = true;
    void findStored();
    const ended = new AbortController();
    const listen = (event: string, listener: (event: Event) => unknown) =>
      window.addEventListener(event, listener, ended);
    listen('online', () => copies.flush());
    listen('pagehide', () => copies.leave());
    listen('beforeunload', (event) => copies.leave() || event.preventDefault());
    return () => {
      mounted.current = false;
      ended.abort();
      copies.leave();
      void copies.flush().then(() => client.invalidateQueries({ queryKey: unsavedKey }));
    };
  }, [copies, client]);

  const readAgain = useEffectEvent(() => put(states.readAgain(latest.current, read(record))));
  useEffect(() => void readAgain(), [record]);

  /** Changes the text, and shows a toast with Undo. If the editor was closed meanwhile, Undo opens it again. */
  const putWithUndo = (next: UnsavedState<T, R>, title: string, durationMs?: number) => {
    const { reopen } = options;
    const to = latest.current;
    put(next);
    showToast({
      title,
      ...undo(() => {
        if (mounted.current) return void put(states.undone(latest.current, to));
        const stored = storedOf(to);
        if (stored) toDevice(stored);
        reopen();
      }),
      ...(durationMs && { durationMs }),
    });
  };

  /** @param base the version to replace; by default, the version from which the text started. */
  const save = async (errors: FieldErrors = {}, base = latest.current.base): Promise<R | null> => {
    if (latest.current.saving) return null;
    if (Object.keys(errors).length > 0) {
      put(states.refused(latest.current, errors));
      return null;
    }
    const { text } = put({ ...latest.current, errors: {}, wrong: null, saving: true });
    try {
      const saved = await options.save(text, base);
      put(states.afterSave(latest.current, read(saved, text), text), false);
      const newId = options.idOf?.(saved) ?? id;
      if (newId !== place.current.id) {
        await copies.flush();
        await request(apiPaths.unsaved(kind, place.current.id), { method: 'DELETE' }).catch(() => undefined);
        dropFromDevice(place.current);
        place.current = { ...place.current, id: newId };
        known.current = { at: '', sent: [] };
      }
      copies.changed(storedOf(latest.current));
      void copies.flush().then(() => client.invalidateQueries({ queryKey: unsavedKey }));
      return saved;
    } catch (error) {
      const refusal = error instanceof ApiError ? error : undefined;
      const current = refusal?.current === undefined ? null : options.parse(refusal.current);
      if (current) put({ ...latest.current, saving: false, conflict: { record: current, saved: read(current) } });
      else {
        put(states.refused(latest.current, refusal?.errors ?? {}));
        showFailure(options.failed, error);
      }
      return null;
    }
  };

  return {
    ...state,
    backedUp,
    changed: states.isChanged(state),
    edit: (change: Partial<T>) => void put(states.typed(latest.current, change)),
    save,
    /** Replaces the text. @param title of the toast, which offers Undo. */
    replace: (text: T, title: string) => putWithUndo(states.withText(latest.current, text), title),
    discard: () => {
      const { current } = latest;
      if (states.isChanged(current)) putWithUndo(states.withText(current, current.saved.text), 'Changes discarded');
    },
    takeOffer: () => putWithUndo(states.offerTaken(latest.current), 'Unsaved changes restored'),
    dismissOffer: () => {
      const next = { ...latest.current, offer: null };
      if (latest.current.offer?.by === null) putWithUndo(next, 'Changes discarded');
      else put(next);
    },
    takeTheirs: () => {
      const { conflict } = latest.current;
      const next = conflict && states.withSaved(latest.current, conflict.saved);
      if (next) putWithUndo(next, 'You loaded their version', Infinity);
    },
    closeConflict: () => void put({ ...latest.current, conflict: null }),
    /** Sends the text to the server now. @throws the error if the server does not get the text. */
    flush: async () => {
      if (!(await copies.flush())) throw copies.state().failure?.error;
    },
    retry: () => void copies.flush(),
    /** Asks the admin to sign in, then tries to send the text. */
    signIn: () => {
      const asked = send(apiPaths.authStatus).catch(() => undefined);
      void asked.then(() => copies.flush());
    },
  };
}

/** Returns what to store for a state; null if nothing is unsaved. An offer of the admin's own changes is kept too. */
function storedOf<T extends Text, R>(state: UnsavedState<T, R>): Stored<T> | null {
  const offer = state.offer?.by === null ? state.offer : null;
  const latest = states.isChanged(state) ? { ...state, older: offer } : offer;
  if (!latest) return null;
  const { base, text, older } = latest;
  return { base, text, older: older && { ...older, older: null } };
}

/** Returns stored changes with exactly the fields of the saved text. Another version of this app may have others. */
function copyOf<T extends Text>({ base, text, updatedAt, older, by }: UnsavedRecord, me: string, saved: T): Copy<T> {
  const textOf = (stored: Text) =>
    Object.fromEntries(Object.keys(saved).map((field) => [field, stored[field] ?? saved[field]])) as T;
  return {
    base,
    updatedAt,
    text: textOf(text),
    by: by === me ? null : by,
    older: older && { ...older, text: textOf(older.text), by: null, older: null },
  };
}
