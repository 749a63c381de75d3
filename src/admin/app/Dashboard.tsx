import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PickMediaHost } from '../media/PickMedia.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { loadWhenIdle } from '../lib/fetched.tsx';
import { goToTab, useLocationSearch } from '../lib/location.ts';
import { AdminFrame } from './AdminShell.tsx';
import { CodeBoundary } from './CodeBoundary.tsx';
import { CountCards } from './CountCards.tsx';
import { ScreenSkeleton } from './ScreenSkeleton.tsx';
import { adminTabs, beginTab, tabOf } from './tabs.ts';

/** Count cards, and a tab for each part of the site that the admin can manage (docs/product.md#admin-area). */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const selected = tabOf(useLocationSearch());
  const client = useQueryClient();
  useEffect(() => loadWhenIdle(adminTabs), []);
  return (
    <AdminFrame siteName={siteName} email={email} cards={<CountCards />}>
      <Tabs
        label="Admin sections"
        tabs={adminTabs}
        selected={selected.id}
        onSelect={(id) => goToTab(id === adminTabs[0].id ? null : id)}
        onIntent={(tab) => beginTab(tab, client, '')}
      >
        <CodeBoundary key={selected.id}>
          <PickMediaHost>
            <selected.Screen fallback={<ScreenSkeleton />} />
          </PickMediaHost>
        </CodeBoundary>
      </Tabs>
    </AdminFrame>
  );
}
