import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type UnsavedKind, unsavedAnswer } from '../../domain/unsaved.ts';
import { ApiError, request } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { errorText } from '../lib/error-text.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { undo } from '../lib/undo.ts';
import { useSession } from '../session/queries.ts';
import { backup } from './backup.ts';
import { deviceCopies, dropFromDevice, keepOnDevice } from './device-copies.ts';
import { unsavedKey } from './queries.ts';
import {
  type Copy,
  type FieldErrors,
  type Saved,
  type Text,
  type UnsavedEvent,
  type UnsavedState,
  afterEvent,
  isChanged,
  opened,
} from './unsaved-state.ts';

interface UnsavedOptions<T extends Text, R> {
  readonly kind: UnsavedKind;
  /** The id of the record, or an id for the text of a new record. */
  readonly id: string;
  readonly idOf: (record: R) => string;
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

type Stored<T extends Text> = Pick<Copy<T>, 'base' | 'text'> & { older: Omit<Copy<T>, 'by' | 'older'> | null };

/**
 * Manages the text of an editor: unsaved changes, their backup, saving, and the choice after a conflict. The admin's
 * own changes continue when the editor opens again; changes that started from another version are offered.
 */
export function useUnsaved<T extends Text, R>(options: UnsavedOptions<T, R>) {
  const { kind, id, record, read } = options;
  const client = useQueryClient();
  const send = useRequest();
  const by = useSession().data?.user.email ?? '';
  const [state, setState] = useState(() => opened<T, R>(read(record)));
  // Refs, because several events may occur before the next render.
  const latest = useRef(state);
  const place = useRef({ kind, id, by });
  const mounted = useRef(false);

  const [copies] = useState(() =>
    backup<Stored<T>>({
      toServer: async (body) => {
        const path = apiPaths.unsaved(kind, place.current.id);
        // Does not ask the admin to sign in, because that would interrupt typing.
        await request(path, body === null ? { method: 'DELETE' } : { method: 'PUT', body });
      },
      toDevice: (value) => {
        if (value !== null) return keepOnDevice({ ...value, ...place.current, updatedAt: new Date().toISOString() });
        dropFromDevice(place.current);
        return true;
      },
    }),
  );
  const backedUp = useSyncExternalStore(copies.subscribe, copies.state);

  const dispatch = (event: UnsavedEvent<T, R>, needsBackup = true): UnsavedState<T, R> => {
    const before = latest.current;
    const next = afterEvent(before, event);
    latest.current = next;
    setState(next);
    if (needsBackup && (next.text !== before.text || next.offer !== before.offer)) copies.changed(storedOf(next));
    return next;
  };

  const look = useEffectEvent(async () => {
    place.current = { kind, id, by };
    const here = deviceCopies(by).find((copy) => copy.kind === kind && copy.id === id);
    const stored = await send(apiPaths.unsaved(kind, id), { schema: unsavedAnswer }).then(
      ({ data }) => data,
      // Without the server, only the copy in this browser is known.
      () => null,
    );
    const newer = here && (stored?.by !== by || stored.updatedAt < here.updatedAt) ? here : stored;
    if (!newer || !mounted.current) return;
    // Another version of this app may have stored other fields.
    const textOf = (text: Text) => {
      const { text: known } = latest.current.saved;
      return Object.fromEntries(Object.keys(known).map((field) => [field, text[field] ?? known[field]])) as T;
    };
    const { base, updatedAt, older } = newer;
    const copy: Copy<T> = {
      base,
      updatedAt,
      text: textOf(newer.text),
      by: newer.by === by ? null : newer.by,
      older: older && { ...older, text: textOf(older.text), by: null, older: null },
    };
    if (newer === stored && copy.by === null) copies.found(updatedAt);
    dispatch({ type: 'found', copy }, newer !== stored);
  });
  useEffect(() => {
    mounted.current = true;
    void look();
    const online = () => void copies.flush();
    const hide = () => void copies.leave();
    const leave = (event: BeforeUnloadEvent) => {
      if (!copies.leave()) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('pagehide', hide);
    window.addEventListener('beforeunload', leave);
    return () => {
      mounted.current = false;
      window.removeEventListener('online', online);
      window.removeEventListener('pagehide', hide);
      window.removeEventListener('beforeunload', leave);
      copies.leave();
      void copies.flush().then(() => client.invalidateQueries({ queryKey: unsavedKey }));
    };
  }, [copies, client]);

  const readAgain = useEffectEvent(() => dispatch({ type: 'read', saved: read(record) }));
  useEffect(() => void readAgain(), [record]);

  /** Shows a toast with Undo. If the editor was closed meanwhile, Undo opens it again with the text. */
  const showUndo = (title: string, to: UnsavedState<T, R>, durationMs?: number) => {
    const { reopen } = options;
    showToast({
      title,
      ...undo(() => {
        if (mounted.current) return void dispatch({ type: 'undone', to });
        const stored = storedOf(to);
        if (stored) keepOnDevice({ ...stored, ...place.current, updatedAt: new Date().toISOString() });
        reopen();
      }),
      ...(durationMs && { durationMs }),
    });
  };

  /** @param base the version to replace; by default, the version from which the text started. */
  const save = async (errors: FieldErrors = {}, base = latest.current.base): Promise<R | null> => {
    if (latest.current.saving) return null;
    const { text, saving } = dispatch({ type: 'save', errors });
    if (!saving) return null;
    try {
      const saved = await options.save(text, base);
      dispatch({ type: 'saved', saved: read(saved, text), sent: text }, false);
      const newId = options.idOf(saved);
      if (newId !== place.current.id) {
        await copies.flush();
        await request(apiPaths.unsaved(kind, place.current.id), { method: 'DELETE' }).catch(() => undefined);
        dropFromDevice(place.current);
        place.current = { ...place.current, id: newId };
      }
      copies.changed(storedOf(latest.current));
      void copies.flush().then(() => client.invalidateQueries({ queryKey: unsavedKey }));
      return saved;
    } catch (error) {
      const refusal = error instanceof ApiError ? error : undefined;
      const current = refusal?.current === undefined ? null : options.parse(refusal.current);
      if (current) dispatch({ type: 'conflict', record: current, saved: read(current) });
      else {
        dispatch({ type: 'refused', errors: refusal?.errors ?? {} });
        showToast({ title: options.failed, description: errorText(error), variant: 'destructive' });
      }
      return null;
    }
  };

  return {
    ...state,
    backedUp,
    changed: isChanged(state),
    edit: (change: Partial<T>) => void dispatch({ type: 'typed', change }),
    save,
    /** Replaces the text. @param title of the toast, which offers Undo. */
    replace: (text: T, title: string) => {
      const to = latest.current;
      dispatch({ type: 'replaced', text });
      showUndo(title, to);
    },
    discard: () => {
      const to = latest.current;
      if (!isChanged(to)) return;
      dispatch({ type: 'replaced', text: to.saved.text });
      showUndo('Changes discarded', to);
    },
    takeOffer: () => {
      const to = latest.current;
      dispatch({ type: 'offer taken' });
      showUndo('Unsaved changes restored', to);
    },
    dismissOffer: () => {
      const to = latest.current;
      dispatch({ type: 'offer dismissed' });
      if (to.offer?.by === null) showUndo('Changes discarded', to);
    },
    takeTheirs: () => {
      const to = latest.current;
      dispatch({ type: 'theirs taken' });
      showUndo('You loaded their version', to, Infinity);
    },
    closeConflict: () => void dispatch({ type: 'conflict closed' }),
    /** Sends the text to the server now. @throws the error if the server does not get the text. */
    flush: async () => {
      if (!(await copies.flush())) throw copies.state().error;
    },
    retry: () => void copies.flush(),
    /** Asks the admin to sign in, then sends the text. */
    signIn: () =>
      void send(apiPaths.authStatus).then(
        () => copies.flush(),
        () => undefined,
      ),
  };
}

/** Returns what to store for a state; null if nothing is unsaved. An offer of the admin's own changes is kept too. */
function storedOf<T extends Text, R>(state: UnsavedState<T, R>): Stored<T> | null {
  const offer = state.offer?.by === null ? state.offer : null;
  const older = offer && { base: offer.base, text: offer.text, updatedAt: offer.updatedAt };
  if (isChanged(state)) return { base: state.base, text: state.text, older };
  return offer && { base: offer.base, text: offer.text, older: null };
}
