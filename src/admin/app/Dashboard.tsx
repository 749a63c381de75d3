import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MediaCount } from '../media/MediaCount.tsx';
import { PickMediaHost } from '../media/PickMedia.tsx';
import { PostsCount, PublishedCount } from '../posts/list/PostCounts.tsx';
import { SubmissionsCount } from '../submissions/SubmissionsCount.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { loadWhenIdle } from '../lib/fetched.tsx';
import { SearchTextProvider, goToTab, useLocationSearch } from '../lib/location.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { AdminFrame } from './AdminFrame.tsx';
import { CodeBoundary } from './CodeBoundary.tsx';
import { loadFonts } from './late-fonts.ts';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminTabs, beginTab, tabOf } from './tabs.ts';

/** A tab's screen waits this long for its data, in milliseconds. Then the screen renders with placeholders. */
const renderAfterMs = 100;

/** Count cards, and a tab for each part of the site that the admin can manage (docs/product.md#admin-area). */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const search = useLocationSearch();
  const selected = tabOf(search);
  const client = useQueryClient();
  const send = useRequest();
  useEffect(() => {
    // Nothing else loads before the data of the first screen has arrived.
    const { search } = window.location;
    const firstData = { load: async () => await tabOf(search).begin?.(client, search) };
    return loadWhenIdle([firstData, { load: loadFonts }, ...adminTabs]);
  }, [client]);
  const select = (id: string) => {
    const tab = adminTabs.find((one) => one.id === id);
    const begun = tab?.begin?.(client, '') ?? tab?.beginAtPress?.(client, send);
    const late = new Promise((resolve) => setTimeout(resolve, renderAfterMs));
    // Ignores an error here, because the screen shows the error.
    const ready = begun && Promise.race([begun, late]).catch(() => undefined);
    return goToTab(id === adminTabs[0].id ? null : id, ready);
  };
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
        onSelect={select}
        onIntent={(tab) => beginTab(tab, client, '')}
      >
        <SearchTextProvider value={search}>
          <CodeBoundary key={selected.id}>
            <PickMediaHost>
              <selected.Screen fallback={<ScreenSkeleton />} />
            </PickMediaHost>
          </CodeBoundary>
        </SearchTextProvider>
      </Tabs>
    </AdminFrame>
  );
}
