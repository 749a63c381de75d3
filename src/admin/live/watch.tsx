import type { PostRecord } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import type { Publishing, SectionRecord } from '../../domain/section.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { showLiveState } from './LiveState.tsx';
import { lookForNoPost, lookForPost, lookForSection } from './public-page.ts';

/** A save whose public page is looked at. */
interface PublicChange {
  /** What was saved, as the admin calls it. */
  readonly subject: string;
  /** The public page that shows it. */
  readonly href: string;
  readonly publishing: Publishing;
  /** Asks the public pages. @returns what is wrong, as a sentence; null if they show the change. */
  readonly look: () => Promise<string | null>;
}

interface LiveState {
  readonly change: PublicChange;
  /** `late`: visitors should have the change by now. */
  readonly phase: 'checking' | 'live' | 'waiting' | 'late';
  /** When the page first showed the change, or was last looked at; ISO 8601. */
  readonly at: string;
  /** Why it is not public. */
  readonly problem: string | null;
}

/** Seconds between two looks; the last one again and again. */
const pauses = [0.2, 0.5, 1, 2, 4, 8, 15];
/** After so long a change is late, in seconds. A build on Netlify takes minutes. */
const lateAfter: Record<Publishing, number> = { server: 30, build: 600, deploy: 5 };
/** For so long pages are looked at without being asked to, in seconds. */
const giveUpAfter: Record<Publishing, number> = { server: 120, build: 900, deploy: 5 };

const waiting: Record<Publishing, string> = {
  server: 'This usually takes a few seconds.',
  build:
    'Netlify is building the site, which usually takes one to three minutes. Visitors with JavaScript see the text already.',
  deploy: '',
};

const advice: Record<Publishing, string> = {
  server: 'Your text is saved. Look for errors under Site status and in the log.',
  build: 'Your text is saved. Check the latest build in Netlify, and that BUILD_HOOK_URL names its build hook.',
  deploy:
    'Your text is saved, and visitors with JavaScript see it already. For everyone else, deploy the site again. Set BUILD_HOOK_URL so that each save does this.',
};

let current: PublicChange | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Watches the public page of a save until it shows the change. The change before is no longer watched. */
function watch(change: PublicChange): void {
  clearTimeout(timer);
  current = change;
  const began = Date.now();
  const show = (phase: LiveState['phase'], problem: string | null) =>
    showLiveState(<Shown change={change} phase={phase} at={new Date().toISOString()} problem={problem} />);
  show('checking', null);

  const look = async (count: number): Promise<void> => {
    const problem = await change.look();
    if (current !== change) return;
    if (problem === null) return show('live', null);
    const seconds = (Date.now() - began) / 1000;
    const { publishing } = change;
    // The first looks come before a server has made the page; they worry nobody.
    if (seconds > 3) show(seconds > lateAfter[publishing] ? 'late' : 'waiting', problem);
    if (seconds < giveUpAfter[publishing]) timer = setTimeout(() => void look(count + 1), pauseOf(count));
  };
  timer = setTimeout(() => void look(1), pauseOf(0));
}

const pauseOf = (count: number): number => 1000 * (pauses[count] ?? pauses.at(-1) ?? 0);

function forget(): void {
  clearTimeout(timer);
  current = null;
  showLiveState(null);
}

/** @param subject the section as the editor names it. @param href the part of the site that shows it. */
export function watchSection(saved: { data: SectionRecord; publishing: Publishing }, subject: string, href: string) {
  watch({ subject, href, publishing: saved.publishing, look: () => lookForSection(saved.data) });
}

/** Posts are rendered on request on every host, so the server publishes them. */
export function watchPost(post: PostRecord): void {
  if (post.status === 'published') {
    watch({
      subject: `“${post.title}”`,
      href: postPath(post.slug),
      publishing: 'server',
      look: () => lookForPost(post),
    });
  } else {
    const subject = `“${post.title}” is no longer on the blog`;
    watch({ subject, href: '/blog', publishing: 'server', look: () => lookForNoPost(post.slug) });
  }
}

function Shown({ change, phase, at, problem }: LiveState) {
  const { subject, href, publishing } = change;
  return (
    <div className={`live-state live-state-${phase}`}>
      <Icon name={phase === 'live' ? 'tick' : phase === 'late' ? 'warning' : 'clock'} />
      <div>
        <p>
          {phase === 'live' && (
            <>
              <strong>Live</strong> since <DateTime iso={at} />: {subject}
            </>
          )}
          {phase === 'checking' && <>Checking the public page: {subject}</>}
          {phase === 'waiting' && <>Saved, not public yet: {subject}</>}
          {phase === 'late' && (
            <>
              <strong>Saved, but not public:</strong> {subject}
            </>
          )}
        </p>
        {problem !== null && (
          <p className="field-hint">
            {problem} {(phase === 'late' ? advice : waiting)[publishing]}
          </p>
        )}
      </div>
      {phase === 'late' && (
        <Button icon="again" onClick={() => watch(change)}>
          Check again
        </Button>
      )}
      <a href={href} target="_blank" rel="noopener">
        Open the page
      </a>
      <IconButton icon="cross" label="Close this message" onClick={forget} />
    </div>
  );
}
