import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';

const message = z.object({
  /** The opening of the dialog that speaks. */
  from: z.string(),
  /** The post's id, or a word for all those that are not stored yet. */
  about: z.string(),
  /** `here` answers `opened`, so that both know of each other. */
  what: z.enum(['opened', 'here', 'closed', 'saved']),
});

type What = z.infer<typeof message>['what'];

/**
 * Tells the browser's other tabs that a post is being written here, and hears the same from them.
 * @returns how many have it open, who they are, and a function that tells them that it was saved here.
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
    /** Their openings of the dialog, as far as they are known at this moment. */
    openings: (): ReadonlySet<string> => new Set(others.current),
    tellSaved: () => channel.current?.postMessage({ from: sitting, about, what: 'saved' satisfies What }),
  };
}
