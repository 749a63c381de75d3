import { useInfiniteQuery } from '@tanstack/react-query';
import { activityPage } from '../../domain/activity.ts';
import { apiPaths } from '../../domain/api-paths.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Panel, Rows, settingsKey } from './Panel.tsx';

/** The activity log: who changed what, and when. */
export function Activity() {
  const send = useRequest();
  const activity = useInfiniteQuery({
    queryKey: [...settingsKey, 'activity'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      send(`${apiPaths.activity}?limit=20${pageParam && `&cursor=${encodeURIComponent(pageParam)}`}`, {
        schema: activityPage,
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnMount: 'always',
  });
  return (
    <Panel
      title="Activity"
      about="This log shows changes, exports and emails by admins, successful and failed sign-ins, and automatic deletions. We delete entries after one year. Admins can’t edit the log."
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
      {activity.hasNextPage && (
        <Button
          icon="down"
          onClick={() => void activity.fetchNextPage()}
          pending={activity.isFetchingNextPage}
          pendingLabel="Loading…"
        >
          Show older
        </Button>
      )}
    </Panel>
  );
}
