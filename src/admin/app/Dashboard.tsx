import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LiveState } from '../live/LiveState.tsx';
import { MediaCount } from '../media/MediaCount.tsx';
import { PickMediaHost } from '../media/PickMedia.tsx';
import { PostsCount, PublishedCount } from '../posts/list/PostCounts.tsx';
import { SubmissionsCount } from '../submissions/SubmissionsCount.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { loadWhenIdle } from '../lib/fetched.tsx';
import { goToTab, useSearchText } from '../lib/location.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { CodeBoundary } from './CodeBoundary.tsx';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminTabs, beginTab, tabOf } from './tabs.ts';

/** Count cards, and a tab for each part of the site that the admin can manage (docs/product.md#admin-area). */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const selected = tabOf(useSearchText());
  const client = useQueryClient();
  useEffect(() => loadWhenIdle(adminTabs), []);
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
        label="Admin sections"
        tabs={adminTabs}
        selected={selected.id}
        onSelect={(id) => goToTab(id === adminTabs[0].id ? null : id)}
        onIntent={(tab) => beginTab(tab, client, '')}
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
