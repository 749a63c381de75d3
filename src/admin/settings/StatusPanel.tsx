import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import type { OutboxStatus, SiteStatus } from '../../domain/site-status.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { TestSend } from './TestSend.tsx';
import { useAcceptMissingFiles, useSiteStatus } from './queries.ts';

/** The state of each part of the site, and what to do about the parts that fail. */
export function StatusPanel() {
  const status = useSiteStatus();
  return (
    <SettingsPanel
      title="Site status"
      anchor="site-status"
      about="Whether the database, file storage, email, chat and scheduled work are working."
    >
      {status.isError && (
        <FailureNotice
          title="Could not load the site status"
          error={status.error}
          onRetry={() => void status.refetch()}
          pending={status.isFetching}
        />
      )}
      {status.isPending && <RowsSkeleton label="Loading the site status…" rows={8} />}
      {status.data && <StatusRows status={status.data} />}
      <Button
        look="quiet"
        icon="again"
        onClick={() => void status.refetch()}
        pending={status.isRefetching}
        pendingLabel="Checking…"
      >
        Check again
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
        {health.blobs.startsWith('The uploaded files are missing') && <AcceptMissingFiles />}
      </StatusRow>
      <StatusRow name="Disk" ok={health.disk === 'ok'}>
        {health.disk === 'ok' ? 'Has enough free space' : wordsOf(health.disk)}
      </StatusRow>
      <StatusRow name="Email" ok={mail.configured && health.mail === 'ok'}>
        {mail.configured ? (
          <OutboxWords
            status={mail}
            health={health.mail}
            one="email is"
            many="emails are"
            said="The mail server said:"
          />
        ) : (
          'No mail server is set up, so no email is sent. Set SMTP_URL and MAIL_FROM, and restart the site.'
        )}
        {mail.configured && (
          <TestSend path={apiPaths.testMail} button="Send test email" what="email" taker="The mail server" />
        )}
      </StatusRow>
      <StatusRow name="Chat" ok={health.webhook === 'ok'}>
        {webhook.configured ? (
          <OutboxWords
            status={webhook}
            health={health.webhook}
            one="message is"
            many="messages are"
            said="The webhook answered:"
          />
        ) : (
          'No webhook is set up, so new submissions are not posted to a chat. NOTIFY_WEBHOOK_URL sets one up.'
        )}
        {webhook.configured && (
          <TestSend path={apiPaths.testWebhook} button="Send test message" what="message" taker="The webhook" />
        )}
      </StatusRow>
      <StatusRow name="Scheduled work" ok={health.schedule === 'ok'}>
        {late.length > 0 && `These jobs are late: ${late.map((job) => job.name).join(', ')}. `}
        {lastRun ? (
          <>
            Last run <DateTime iso={lastRun} />
          </>
        ) : (
          'Has not run yet. It runs every minute.'
        )}
      </StatusRow>
      <StatusRow name="Scheduled posts" ok={health.posts === 'ok'}>
        {postsText(posts)}
        {posts.nextAt && (
          <>
            {' '}
            {posts.overdue > 0 ? 'The oldest was due' : 'The next one is due'} <DateTime iso={posts.nextAt} zoned />.
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
        <span className="unseen">{ok ? ': working' : ': not working'}</span>
      </p>
      <div className="status-words">{children}</div>
    </li>
  );
}

function wordsOf(health: string): string {
  return health === 'ok' ? 'Works' : health.replace(/\.?$/, '.');
}

function postsText({ scheduled, overdue }: SiteStatus['posts']): string {
  if (scheduled === 0) return 'No posts are scheduled.';
  const waiting = `${scheduled} ${scheduled === 1 ? 'post is' : 'posts are'} scheduled`;
  return overdue > 0 ? `${waiting}, and ${overdue} of them should be public already.` : `${waiting}.`;
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

interface OutboxWordsProps {
  status: OutboxStatus;
  health: string;
  /** 'email is'. */
  one: string;
  many: string;
  /** Comes before the server's own words. */
  said: string;
}

function OutboxWords({ status, health, one, many, said }: OutboxWordsProps) {
  const { waiting, failed, undeliverable, oldestAt, failingSince, error, succeededAt } = status;
  return (
    <>
      {health !== 'ok' && <p>{wordsOf(health)}</p>}
      {failingSince !== null && error !== null && (
        <p>
          {said} <code>{error}</code>
        </p>
      )}
      <p>
        {waiting === 0
          ? 'Nothing is waiting to be sent.'
          : `${waiting} ${waiting === 1 ? one : many} waiting to be sent.`}
        {oldestAt && (
          <>
            {' '}
            The oldest has waited since <DateTime iso={oldestAt} />.
          </>
        )}
        {succeededAt && (
          <>
            {' '}
            Last sent <DateTime iso={succeededAt} />.
          </>
        )}
      </p>
      {failed > 0 && !health.includes('could not be delivered') && (
        <p>{failed} could not be delivered. Contact Submissions shows which. Select Send again there.</p>
      )}
      {undeliverable > 0 && (
        <p>
          {undeliverable} {undeliverable === 1 ? 'acknowledgement' : 'acknowledgements'} could not be delivered, usually
          because the visitor’s address does not exist.
        </p>
      )}
    </>
  );
}

/** For an owner who has no backup to restore: what is lost is then no longer reported. */
function AcceptMissingFiles() {
  const accept = useAcceptMissingFiles();
  return (
    <div className="test-mail">
      <Button onClick={() => accept.mutate()} pending={accept.isPending} pendingLabel="Saving…">
        Continue without the missing files
      </Button>
      {accept.isError && (
        <Notice variant="destructive" title="Nothing was changed">
          <p>{errorText(accept.error)}</p>
        </Notice>
      )}
    </div>
  );
}
