import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode, useEffect } from 'react';
import { PickMediaHost } from '../media/PickMedia.tsx';
import { loadWhenIdle } from '../lib/fetched.tsx';
import { goToTab, useLocationSearch } from '../lib/location.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { CountCards, CountCardsSkeleton } from './CountCards.tsx';
import { Frame, ScreenSkeleton } from './Shell.tsx';
import { adminTabs, beginTab, tabOf } from './tabs.ts';

/** Count cards, and a tab for each part of the site that the admin can manage (docs/product.md#admin-area). */
export function Dashboard({ siteName, email }: { siteName: string; email: string }) {
  const selected = tabOf(useLocationSearch());
  const client = useQueryClient();
  useEffect(() => loadWhenIdle(adminTabs), []);
  return (
    <Frame siteName={siteName} email={email} cards={<CountCards />}>
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
    </Frame>
  );
}

/** The dashboard's HTML while the session is checked. Has the final sizes, so the layout does not shift. */
export function DashboardSkeleton({ siteName }: { siteName: string }) {
  return (
    <Frame siteName={siteName} cards={<CountCardsSkeleton />}>
      <p className="unseen" role="status">
        Loading the dashboard…
      </p>
      <div className="tab-list" aria-hidden="true">
        {adminTabs.map(({ id, label }) => (
          <span key={id} className="tab">
            <span className="skeleton skeleton-words">{label}</span>
          </span>
        ))}
      </div>
      <ScreenSkeleton />
    </Frame>
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
      <Notice variant="destructive" title="We couldn’t load this screen">
        <p>The site was updated or is unreachable. Reload the page.</p>
        <Button icon="again" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </Notice>
    );
  }
}
