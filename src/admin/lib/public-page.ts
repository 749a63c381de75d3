import type { Publishing } from '../../domain/section.ts';
import type { ToastOptions } from '../../lib/toast/toast.ts';

const arrivals: Record<Publishing, string> = {
  server: 'Visitors see the change within a few seconds.',
  build:
    'Netlify is building the site, which takes one to three minutes. Until then, browsers without JavaScript show the old text.',
  deploy:
    'Browsers without JavaScript show the old text until someone deploys the site. To deploy after every save, set BUILD_HOOK_URL.',
};

/** The part of a toast that says when visitors see a saved change, and opens the page that shows the change. */
export function publicPage(href: string, publishing: Publishing): Pick<ToastOptions, 'note' | 'action' | 'durationMs'> {
  return {
    note: arrivals[publishing],
    action: { label: 'View page', onSelect: () => window.open(href, '_blank', 'noopener') },
    durationMs: 10_000,
  };
}
