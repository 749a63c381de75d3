import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Component, type ContextType, type ReactNode, useEffect, useId, useRef } from 'react';
import type { PostPage, PostSummary } from '../../domain/posts/post.ts';
import { numberText } from '../../domain/text/text.ts';
import { fetched } from '../lib/fetched.tsx';
import { go, useLocationSearch } from '../lib/location.ts';
import { firstRows } from '../lists/ListTable.tsx';
import { useFirstPage } from '../lists/list.ts';
import { MediaPickerContext } from '../lib/pick-media.tsx';
import { adminQueryClient } from '../lib/query-client.ts';
import { firstRequest } from '../lib/signed-in-request.ts';
import { mediaList } from '../media/list.ts';
import { countOfAll, postList } from '../posts/list.ts';
import { kinds } from '../submissions/kinds.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { moveFocus } from '../ui/move-focus.ts';
import { Frame, ScreenSkeleton } from './Shell.tsx';
import { type AdminTab, adminTabs, beginTab, tabOf } from './tabs.ts';

const MediaPicker = fetched(() => import('../media/MediaPicker.tsx'));
const mediaPicker: ContextType<typeof MediaPickerContext> = (onPick) => <MediaPicker onPick={onPick} />;

/** The numbers next to the tabs (docs/product.md#admin-area). */
function CountCards() {
  const inquiries = useFirstPage(kinds.inquiries.list);
  const applications = useFirstPage(kinds.applications.list);
  const posts = useFirstPage(postList);
  const files = useFirstPage(mediaList);
  const submissions = [inquiries.data?.counts, applications.data?.counts];
  const counts = posts.data?.counts;
  return (
    <Cards
      counts={[
        submissions.every((one) => one !== undefined)
          ? submissions.reduce((sum, { inbox, handled }) => sum + inbox + handled, 0)
          : (inquiries.error ?? applications.error),
        counts ? countOfAll(counts) : posts.error,
        files.data?.total ?? files.error,
        counts ? counts.published : posts.error,
      ]}
    />
  );
}

const cards = ['Contact Submissions', 'Blog Posts', 'Media Files', 'Published Posts'];

/** @param props.counts null while a count loads, or the error if loading failed. Not given while the session is checked. */
function Cards({ counts }: { counts?: readonly (number | Error | null)[] }) {
  return (
    <dl
      className={`flex flex-wrap gap-x-5 text-xs min-[22rem]:max-md:grid min-[22rem]:max-md:grid-cols-[auto_auto] ${counts ? '' : 'invisible'}`}
    >
      {cards
        .map((label, index) => [label, counts?.[index] ?? null] as const)
        .map(([label, count]) => (
          <div key={label} className="flex items-center justify-between gap-1.5 whitespace-nowrap">
            <dt className="text-ink-soft">{label}</dt>
            {/* The width of three digits, so the layout does not shift when the count arrives. */}
            <dd className="figures min-w-[3ch] text-sm semibold">
              {count === null ? (
                <span className="skeleton h-[1lh] w-[2ch]" aria-hidden="true" />
              ) : count instanceof Error ? (
                '–'
              ) : (
                numberText(count)
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** The row with the tabs, and with the counts at its end or, on narrow screens, above the tabs. */
function TabRow({ counts, children }: { counts: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse items-center justify-between gap-x-6 gap-y-1 rule-b-rule-strong">
      {children}
      {counts}
    </div>
  );
}

/**
 * Count cards, and a tab for each part of the site that the admin can manage (docs/product.md#admin-area). Follows the
 * ARIA pattern for tabs: the tab list is one tab stop, and the arrow keys, Home and End select a tab.
 */
export function Dashboard() {
  const selected = tabOf(useLocationSearch());
  const client = useQueryClient();
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = (tab: AdminTab) => go(tab === adminTabs[0] ? '' : `?tab=${tab.id}`);

  // On a phone the tabs are wider than the screen, so the selected tab is scrolled to the middle. Only the tabs scroll:
  // the page may already show the part that the URL's fragment names.
  useEffect(() => {
    const tabs = list.current!;
    const tab = tabs.querySelector<HTMLElement>('[aria-selected="true"]')!;
    tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - tab.clientWidth) / 2;
  }, [selected]);

  return (
    <div className="large:flex large:min-h-0 large:flex-1 large:flex-col">
      <TabRow counts={<CountCards />}>
        <div
          ref={list}
          className="fading flex max-w-full"
          role="tablist"
          aria-label="Admin sections"
          onKeyDown={(event) => moveFocus(event)?.click()}
        >
          {adminTabs.map((tab) => (
            <button
              key={tab.id}
              id={`${base}-tab-${tab.id}`}
              type="button"
              role="tab"
              // In forced-colors mode, a transparent border would be visible.
              className="tab min-h-11 px-4 whitespace-nowrap text-ink-soft semibold [border-block-end:3px_solid_transparent] hover:text-ink aria-selected:text-ink aria-selected:[border-color:var(--color-accent)] forced-colors:[border-color:Canvas]"
              aria-selected={tab === selected}
              aria-controls={`${base}-panel`}
              tabIndex={tab === selected ? 0 : -1}
              onClick={() => open(tab)}
              // A click is likely.
              onPointerEnter={() => void beginTab(tab, client, '')}
            >
              {tab.label}
            </button>
          ))}
        </div>
      </TabRow>
      <div
        id={`${base}-panel`}
        className="tab-panel large:flex large:min-h-0 large:flex-1 large:flex-col"
        role="tabpanel"
        aria-labelledby={`${base}-tab-${selected.id}`}
      >
        <CodeBoundary key={selected.id}>
          <MediaPickerContext value={mediaPicker}>
            <selected.Screen fallback={<ScreenSkeleton />} />
          </MediaPickerContext>
        </CodeBoundary>
      </div>
    </div>
  );
}

/** The dashboard's HTML while the session is checked. Has the final sizes, so the layout does not shift. */
export function DashboardSkeleton({ siteName }: { siteName: string }) {
  return (
    <Frame siteName={siteName}>
      <template data-path={postList.firstPath} data-rows={firstRows}>
        <FirstScreen />
      </template>
      <TabRow counts={<Cards />}>
        <span className="min-h-11" />
      </TabRow>
      <ScreenSkeleton />
    </Frame>
  );
}

const never = { publishAt: null, publishedAt: null, firstPublishedAt: null, dateBefore: null, deletedAt: null };
const some = { excerpt: null, featuredImage: null, createdAt: '', updatedAt: '', revision: 0, ...never };

/** A post for each look of a row in the list of posts, named like its status. */
const samplePosts: PostSummary[] = [
  { ...some, id: 'draft', title: 'draft', slug: 'draft', status: 'draft' },
  { ...some, id: 'scheduled', title: 'scheduled', slug: 'scheduled', status: 'draft', publishAt: '' },
  { ...some, id: 'published', title: 'published', slug: 'published', status: 'published', publishedAt: '' },
];

/** The first tab with sample rows, as the HTML in which `begin.ts` shows the first posts. */
function FirstScreen() {
  const client = adminQueryClient();
  client.setQueryData<PostPage>(postList.pageQuery(postList.read(''), firstRequest).queryKey, {
    data: samplePosts,
    nextCursor: null,
    counts: { draft: 0, scheduled: 0, published: 0, trash: 0 },
  });
  return (
    <QueryClientProvider client={client}>
      <Dashboard />
    </QueryClientProvider>
  );
}

/**
 * Replaces a screen whose code could not be loaded because the server was unreachable, or because a new build removed
 * the file while this page was open. Only a reload helps then.
 */
class CodeBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice variant="destructive" title="Couldn’t load this screen">
        <p>The site was updated or is unreachable. Reload the page.</p>
        <Button icon="again" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </Notice>
    );
  }
}
