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
 * @returns who else has it open, and a function that tells them that it was saved here.
 */
export function useOtherTabs(sitting: string, about: string, onSavedElsewhere: () => void) {
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const channel = useRef<BroadcastChannel>(undefined);
  const savedElsewhere = useEffectEvent(onSavedElsewhere);

  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return undefined;
    const opened = new BroadcastChannel('admin-posts');
    channel.current = opened;
    const say = (what: What) => opened.postMessage({ from: sitting, about, what });
    const leave = () => say('closed');
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const heard = message.safeParse(data);
      if (!heard.success || heard.data.about !== about) return;
      const { from, what } = heard.data;
      setOthers((known) => {
        const next = new Set(known);
        if (what === 'closed') next.delete(from);
        else next.add(from);
        return next;
      });
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
      setOthers(new Set());
    };
  }, [sitting, about]);

  return {
    others,
    tellSaved: () => channel.current?.postMessage({ from: sitting, about, what: 'saved' satisfies What }),
  };
}
