import { LiveState } from '../live/LiveState.tsx';
import { MediaCount } from '../media/MediaCount.tsx';
import { PickMediaHost } from '../media/PickMedia.tsx';
import { PostsCount, PublishedCount } from '../posts/PostCounts.tsx';
import { SubmissionsCount } from '../submissions/SubmissionsCount.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { goToTab, useSearchText } from '../ui/location.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { CodeBoundary } from './CodeBoundary.tsx';
import { ScreenSkeleton } from './DashboardSkeleton.tsx';
import { adminTabs, tabOf } from './tabs.ts';

/** Count cards and tabs (spec §2), for those parts of the site that the admin can manage. */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const selected = tabOf(useSearchText());
  return (
    <AdminFrame
      siteName={siteName}
      email={email}
      cards={
        <dl className="count-cards">
          <SubmissionsCount />
          <PostsCount />
          <MediaCount />
          <PublishedCount />
        </dl>
      }
    >
      <Tabs
        label="What to manage"
        tabs={adminTabs}
        selected={selected.id}
        onSelect={(id) => goToTab(id === adminTabs[0].id ? null : id)}
      >
        <LiveState />
        <CodeBoundary key={selected.id}>
          <PickMediaHost>
            <selected.Screen fallback={<ScreenSkeleton />} />
          </PickMediaHost>
        </CodeBoundary>
      </Tabs>
    </AdminFrame>
  );
}
