import { Suspense, useState } from 'react';
import { SubmissionsCount } from '../submissions/SubmissionsCount.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { CodeBoundary } from './CodeBoundary.tsx';
import { ScreenSkeleton } from './DashboardSkeleton.tsx';
import { adminTabs } from './tabs.ts';

/** Count cards and tabs (spec §2), for those parts of the site that the admin can manage. */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const [selected, setSelected] = useState(adminTabs[0]);
  return (
    <AdminFrame
      siteName={siteName}
      email={email}
      cards={
        <dl className="count-cards">
          <SubmissionsCount />
        </dl>
      }
    >
      <Tabs
        label="What to manage"
        tabs={adminTabs}
        selected={selected.id}
        onSelect={(id) => setSelected(adminTabs.find((tab) => tab.id === id) ?? adminTabs[0])}
      >
        <CodeBoundary key={selected.id}>
          <Suspense fallback={<ScreenSkeleton />}>
            <selected.Screen />
          </Suspense>
        </CodeBoundary>
      </Tabs>
    </AdminFrame>
  );
}
