import type { LogoDetail } from '../../domain/logo.ts';
import type { PostRecord, PostSummary } from '../../domain/post.ts';
import { postPath } from '../../domain/post-text.ts';
import type { Publishing, SectionRecord } from '../../domain/section.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { showLiveState } from './LiveState.tsx';
import { lookForLogo, lookForNoPost, lookForPost, lookForSection } from './public-page.ts';

/** What makes a change public. `schedule` is the job that runs every minute and publishes scheduled posts. */
type Publisher = Publishing | 'schedule';

/** A saved change whose public page is checked. */
interface PublicChange {
  /** The name of the saved record, as the admin knows it. */
  readonly subject: string;
  /** The public page that shows the change. */
  readonly href: string;
  readonly publishing: Publisher;
  /** True if the change takes a post off the blog. */
  readonly removes?: boolean;
  /**
   * Checks the public pages.
   * @returns a description of the problem; null if the pages show the change.
   */
  readonly look: () => Promise<string | null>;
}

interface LiveState {
  readonly change: PublicChange;
  /** `late`: visitors should already see the change by now. */
  readonly phase: 'checking' | 'live' | 'waiting' | 'late';
  /** The time of the last check, or of the first check that found the change; ISO 8601, UTC. */
  readonly at: string;
  /** Why the change is not public yet. */
  readonly problem: string | null;
}

/** Seconds between checks. The last value repeats. */
const pauses = [0.2, 0.5, 1, 2, 4, 8, 15];
/**
 * If a change is not public after this many seconds, the notice becomes a warning with advice. A build on Netlify takes
 * minutes. `deploy` has a short limit, because the change becomes public only when someone deploys the site again.
 */
const lateAfter: Record<Publisher, number> = { server: 30, build: 600, deploy: 5, schedule: 150 };
/** Seconds after which the automatic checks stop. */
const giveUpAfter: Record<Publisher, number> = { server: 120, build: 900, deploy: 5, schedule: 600 };

const waiting: Record<Publisher, string> = {
  server: 'Changes usually appear within a few seconds.',
  build:
    'Netlify is building the site, which usually takes one to three minutes. Until then, browsers without JavaScript show the old text.',
  deploy: '',
  schedule: 'Scheduled posts appear within a minute of their time.',
};

const advice: Record<Publisher, string> = {
  server:
    'Your change is saved. Look for errors in Settings > Site status. If there are none, ask the person who manages the server to check the server log.',
  build:
    'Your text is saved. Ask the person who manages the site on Netlify to check the latest build, and to check that BUILD_HOOK_URL is the URL of a Netlify build hook.',
  deploy:
    'Your text is saved, but browsers without JavaScript still show the old text. To show the new text in all browsers, ask the person who manages the server to deploy the site again, or to set BUILD_HOOK_URL so the site is deployed after every save.',
  schedule:
    'The post is saved. Look for errors in Settings > Site status. If there are none, ask the person who manages the server to check the server log.',
};

let current: PublicChange | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Checks the public page of a change until the page shows it. Stops the checks of the previous change. */
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
    // The first checks may run before a server has rendered the page, so they show no warning.
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

/**
 * @param subject the section's name in the editor.
 * @param href the part of the site that shows the section.
 */
export function watchSection(saved: { data: SectionRecord; publishing: Publishing }, subject: string, href: string) {
  watch({ subject, href, publishing: saved.publishing, look: () => lookForSection(saved.data) });
}

/** Watches until a new logo is live. The server reads the logo for each request, so no build is needed. */
export function watchLogo(logo: LogoDetail): void {
  watch({ subject: `Logo ${logo.data.logoFileName}`, href: '/', publishing: 'server', look: () => lookForLogo(logo) });
}

/**
 * Watches until a published post is live, or an unpublished post is off the blog. The server renders posts on request,
 * so no build is needed.
 */
export function watchPost(post: PostRecord): void {
  if (post.status === 'published') {
    watch({
      subject: `“${post.title}”`,
      href: postPath(post.slug),
      publishing: 'server',
      look: () => lookForPost(post),
    });
  } else {
    const subject = `“${post.title}”`;
    watch({ subject, href: '/blog', publishing: 'server', removes: true, look: () => lookForNoPost(post.slug) });
  }
}

/** Fetches the current version of a post. */
type ReadPost = (id: string) => Promise<PostRecord>;

/** The scheduled posts that will be checked when they are due, by id. */
const schedules = new Map<string, { readonly publishAt: string; readonly timer: ReturnType<typeof setTimeout> }>();
const mostSchedules = 50;
/** The longest delay of a browser timer in milliseconds, nearly 25 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Checks the page of a scheduled post when the post is due, as long as the dashboard stays open. */
export function watchSchedule({ id, publishAt }: Pick<PostSummary, 'id' | 'publishAt'>, read: ReadPost): void {
  if (schedules.get(id)?.publishAt === publishAt) return;
  clearTimeout(schedules.get(id)?.timer);
  schedules.delete(id);
  const waitMs = Date.parse(publishAt ?? '') - Date.now();
  if (publishAt === null || waitMs > longestTimerMs) return;
  const [oldest] = schedules.keys();
  if (oldest !== undefined && schedules.size >= mostSchedules) {
    clearTimeout(schedules.get(oldest)?.timer);
    schedules.delete(oldest);
  }
  schedules.set(id, { publishAt, timer: setTimeout(() => void watchDuePost(id, publishAt, read), waitMs) });
}

async function watchDuePost(id: string, publishAt: string, read: ReadPost): Promise<void> {
  const isDue = (post: PostRecord) => post.deletedAt === null && [post.publishAt, post.publishedAt].includes(publishAt);
  // Another admin may have deleted or rescheduled the post. If the request fails, the post's state is unknown, so
  // nothing is checked.
  const due = await read(id).catch(() => null);
  if (!due || !isDue(due)) return;
  watch({
    subject: `“${due.title}”`,
    href: postPath(due.slug),
    publishing: 'schedule',
    look: async () => {
      const post = await read(id).catch(() => null);
      if (!post) return 'This browser couldn’t read the post from the server.';
      if (!isDue(post)) {
        forget();
        return null;
      }
      return post.status === 'published' ? await lookForPost(post) : 'The site has not published the post yet.';
    },
  });
}

function Shown({ change, phase, at, problem }: LiveState) {
  const { subject, href, publishing, removes = false } = change;
  return (
    <div
      className={`live-state notice notice-${phase === 'late' ? 'destructive [&>svg]:text-alert' : 'default'} mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1`}
    >
      <Icon name={phase === 'live' ? 'tick' : phase === 'late' ? 'warning' : 'clock'} />
      <div className="flex-[1_9_12rem]">
        <p>
          {phase === 'live' && (
            <>
              <strong>{removes ? 'Off the blog' : 'Live'}</strong> since <DateTime iso={at} />: {subject}
            </>
          )}
          {phase === 'checking' && <>Checking the public page: {subject}</>}
          {phase === 'waiting' && (
            <>
              {removes ? 'Saved, but may still be on the blog' : 'Saved, but not live yet'}: {subject}
            </>
          )}
          {phase === 'late' && (
            <>
              <strong>{removes ? 'Saved, but may still be on the blog' : 'Saved, but not live'}:</strong> {subject}
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
      <a className="py-1.5" href={href} target="_blank" rel="noopener">
        View page
      </a>
      <IconButton icon="cross" label="Dismiss" onClick={forget} />
    </div>
  );
}
