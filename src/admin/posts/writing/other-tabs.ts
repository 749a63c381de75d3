import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';

const message = z.object({
  /** The id of the dialog that sends the message. */
  from: z.string(),
  /** The post's id, or `new` for all posts that have not been saved yet. */
  about: z.string(),
  /** A tab replies `here` to `opened`, so both tabs know about each other. */
  what: z.enum(['opened', 'here', 'closed', 'saved']),
});

type What = z.infer<typeof message>['what'];

/**
 * Tells the browser's other tabs that this post is open here, and listens for their messages.
 * @returns how many other dialogs have the post open, their ids, and a function that announces a save.
 */
export function useOtherTabs(sitting: string, about: string, onSavedElsewhere: () => void) {
  const [count, setCount] = useState(0);
  const others = useRef(new Set<string>());
  const channel = useRef<BroadcastChannel>(undefined);
  const savedElsewhere = useEffectEvent(onSavedElsewhere);

  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return undefined;
    const opened = new BroadcastChannel('admin-posts');
    const known = others.current;
    channel.current = opened;
    const say = (what: What) => opened.postMessage({ from: sitting, about, what });
    const leave = () => say('closed');
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const heard = message.safeParse(data);
      if (!heard.success || heard.data.about !== about) return;
      const { from, what } = heard.data;
      if (what === 'closed') known.delete(from);
      else known.add(from);
      setCount(known.size);
      if (what === 'opened') say('here');
      if (what === 'saved') savedElsewhere();
    });
    window.addEventListener('pagehide', leave);
    say('opened');
    return () => {
      leave();
      window.removeEventListener('pagehide', leave);
      channel.current = undefined;
      opened.close();
      known.clear();
      setCount(0);
    };
  }, [sitting, about]);

  return {
    count,
    /** The ids of the dialogs in other tabs that are known so far. */
    openings: (): ReadonlySet<string> => new Set(others.current),
    tellSaved: () => channel.current?.postMessage({ from: sitting, about, what: 'saved' satisfies What }),
  };
}
