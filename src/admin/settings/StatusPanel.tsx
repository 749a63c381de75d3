import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import type { OutboxStatus, SiteStatus } from '../../domain/site-status.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { TestSend } from './TestSend.tsx';
import { useSiteStatus } from './queries.ts';

/** How the site is: what answers, what waits, what was built when. */
export function StatusPanel() {
  const status = useSiteStatus();
  return (
    <SettingsPanel
      title="Site status"
      about="Whether everything that the site stands on answers, and whether mail, messages and scheduled work go on."
    >
      {status.isError && (
        <FailureNotice
          title="Could not load the site’s status"
          error={status.error}
          onRetry={() => void status.refetch()}
          pending={status.isFetching}
        />
      )}
      {status.isPending && <RowsSkeleton label="Loading the site’s status…" rows={7} />}
      {status.data && <StatusRows status={status.data} />}
      <Button
        look="quiet"
        icon="again"
        onClick={() => void status.refetch()}
        pending={status.isRefetching}
        pendingLabel="Looking…"
      >
        Look again
      </Button>
    </SettingsPanel>
  );
}

function StatusRows({ status: { health, mail, webhook, posts, policyReports, jobs } }: { status: SiteStatus }) {
  const built = document.querySelector<HTMLMetaElement>('meta[name="built"]')?.content;
  const late = jobs.filter((job) => job.overdue);
  const lastRun = jobs
    .map((job) => job.ranAt)
    .sort()
    .at(-1);
  return (
    <ul className="settings-rows status-rows">
      <StatusRow name="Database" ok={health.database === 'ok'}>
        {wordsOf(health.database)}
      </StatusRow>
      <StatusRow name="Files" ok={health.blobs === 'ok'}>
        {wordsOf(health.blobs)}
      </StatusRow>
      <StatusRow name="Mail" ok={mail.configured && health.mail === 'ok'}>
        {mail.configured ? (
          <OutboxWords status={mail} one="mail" many="mails" />
        ) : (
          'No mail server is set up: nothing is sent, and what should go out waits.'
        )}
        {mail.configured && (
          <TestSend path={apiPaths.testMail} button="Send me a test mail" what="mail" taker="The mail server" />
        )}
      </StatusRow>
      <StatusRow name="Chat" ok={health.webhook === 'ok'}>
        {webhook.configured ? (
          <OutboxWords status={webhook} one="message" many="messages" />
        ) : (
          'No webhook is set up, so no chat is told of new submissions. NOTIFY_WEBHOOK_URL sets one up.'
        )}
        {webhook.configured && (
          <TestSend path={apiPaths.testWebhook} button="Send a test message" what="message" taker="The webhook" />
        )}
      </StatusRow>
      <StatusRow name="Scheduled work" ok={health.schedule === 'ok'}>
        {late.length > 0 && `Overdue: ${late.map((job) => job.name).join(', ')}. `}
        {lastRun ? (
          <>
            Last run <DateTime iso={lastRun} />
          </>
        ) : (
          'It has not run yet. It runs every minute.'
        )}
      </StatusRow>
      <StatusRow name="Scheduled posts" ok={health.posts === 'ok'}>
        {postsText(posts)}
        {posts.nextAt && (
          <>
            {' '}
            {posts.overdue > 0 ? 'The oldest was due' : 'The next appears'} <DateTime iso={posts.nextAt} zoned />.
          </>
        )}
      </StatusRow>
      <StatusRow name="Blocked content" ok={policyReports.count === 0}>
        <PolicyReportWords reports={policyReports} />
      </StatusRow>
      <StatusRow name="Pages" ok>
        {built && (
          <>
            Built <DateTime iso={built} />, version {health.version}
          </>
        )}
      </StatusRow>
    </ul>
  );
}

function StatusRow({ name, ok, children }: { name: string; ok: boolean; children: ReactNode }) {
  return (
    <li data-ok={ok}>
      <p className="settings-row-name">
        <Icon name={ok ? 'tick' : 'cross'} />
        {name}
        <span className="unseen">{ok ? ': in order' : ': needs a look'}</span>
      </p>
      <div className="status-words">{children}</div>
    </li>
  );
}

function wordsOf(health: string): string {
  return health === 'ok' ? 'Answers' : `${health.charAt(0).toUpperCase()}${health.slice(1)}.`;
}

function postsText({ scheduled, overdue }: SiteStatus['posts']): string {
  if (scheduled === 0) return 'None waits for its time.';
  const waiting = `${scheduled} ${scheduled === 1 ? 'waits' : 'wait'} for ${scheduled === 1 ? 'its' : 'their'} time`;
  return overdue > 0 ? `${waiting}, ${overdue} of them overdue.` : `${waiting}.`;
}

function PolicyReportWords({ reports: { count, latest } }: { reports: SiteStatus['policyReports'] }) {
  const [last] = latest;
  if (!last) return 'Visitors’ browsers blocked nothing in the last 30 days.';
  const times = (number: number) => (number === 1 ? 'once' : `${number.toLocaleString('en-US')} times`);
  return (
    <>
      Visitors’ browsers blocked content {times(count)} in the last 30 days. Last: {last.blocked} on {last.page} (
      {last.directive}), <DateTime iso={last.lastAt} />.
    </>
  );
}

function OutboxWords({ status, one, many }: { status: OutboxStatus; one: string; many: string }) {
  const { waiting, overdue, failed, oldestAt } = status;
  const parts = [
    waiting > 0 && `${waiting} ${waiting === 1 ? `${one} waits` : `${many} wait`} to go out`,
    overdue > 0 && `${overdue} of them overdue`,
    failed > 0 && `${failed} given up (Contact Submissions shows which, and sends again)`,
  ].filter((part) => part !== false);
  return (
    <>
      {parts.length === 0 ? 'Nothing waits to go out.' : `${parts.join(', ')}.`}
      {oldestAt && (
        <>
          {' '}
          The oldest since <DateTime iso={oldestAt} />.
        </>
      )}
    </>
  );
}
