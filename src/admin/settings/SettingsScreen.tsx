import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { activityPage } from '../../domain/activity.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { go, onPlainClick, useLocationSearch } from '../lib/location.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Passkeys, Password, Sessions } from './Account.tsx';
import { Logo } from './Logo.tsx';
import { Panel, Rows, settingsKey } from './Panel.tsx';
import { People } from './People.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { Status } from './Status.tsx';

/** Settings of the site and of the admin's account with the latest activity, or only the whole activity log. */
export default function SettingsScreen() {
  const whole = new URLSearchParams(useLocationSearch()).has('activity');
  return (
    <div className="scroll-area @container/settings">
      {!whole && (
        <>
          <Group title="Site">
            <Status />
            <Logo screen="tab" />
          </Group>
          <Group title="Your account">
            <Password />
            <Passkeys />
            <Sessions />
            <RecoveryCodes />
          </Group>
          <Group title="Access">
            <People />
          </Group>
        </>
      )}
      <Activity whole={whole} />
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="pt-5 pb-1.5 title-lg/[1.3] double-b-rule-strong">{title}</h2>
      {children}
    </section>
  );
}

/** Who changed what, and when: the latest entries with a link to all of them, or all of them in pages. */
function Activity({ whole }: { whole: boolean }) {
  const send = useRequest();
  const other = whole ? '?tab=settings' : '?tab=settings&activity=all';
  const path = `${apiPaths.activity}?limit=${whole ? 50 : 5}`;
  const activity = useInfiniteQuery({
    queryKey: [...settingsKey, path],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      send(path + (pageParam && `&cursor=${encodeURIComponent(pageParam)}`), { schema: activityPage, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  const showOther = () => {
    go(other);
    // The link would keep the focus, but it moves to the end of the page.
    document.activeElement?.closest('section')?.focus();
  };
  return (
    <Panel
      title="Activity"
      level="h2"
      about="The activity log shows the changes, exports and sign-ins of admins, failed sign-ins, and automatic deletions. The site deletes entries after one year. Admins can’t edit the log."
    >
      <Rows label="Activity" what="the activity" query={activity}>
        {({ pages }) =>
          pages
            .flatMap((page) => page.data)
            .map(({ id, at, who, action, subject, link }) => (
              <li
                key={id}
                className="min-h-10 flex-nowrap items-baseline justify-start @max-[36rem]/settings:flex-wrap"
              >
                <span className="min-w-[min(11.5rem,100%)] flex-none text-ink-soft">
                  <DateTime iso={at} />
                </span>
                <p className="min-w-0 wrap-anywhere @max-[36rem]/settings:flex-[1_0_100%]">
                  <span className="semibold">{who}</span> {link && !subject ? <a href={link}>{action}</a> : action}
                  {subject && ': '}
                  {link && subject ? <a href={link}>{subject}</a> : subject}
                </p>
              </li>
            ))
        }
      </Rows>
      <div className="actions">
        {activity.hasNextPage && whole && (
          <Button
            icon="down"
            onClick={() => void activity.fetchNextPage()}
            pending={activity.isFetchingNextPage}
            pendingLabel="Loading…"
          >
            Show older entries
          </Button>
        )}
        <a className="button button-secondary" href={other} onClick={onPlainClick(showOther)}>
          {whole ? 'Back to settings' : 'Show all activity'}
        </a>
      </div>
    </Panel>
  );
}
