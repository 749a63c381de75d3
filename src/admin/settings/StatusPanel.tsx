import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { notChecked } from '../../domain/health.ts';
import type { OutboxStatus, SiteStatus } from '../../domain/site-status.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { Loaded } from './Loaded.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { TestSend } from './TestSend.tsx';
import { useAcceptMissingFiles, useResendMail, useSiteStatus } from './queries.ts';
import { numberText } from '../../domain/number-words.ts';

/** Shows the state of each part of the site, and what to do about the parts that fail. */
export function StatusPanel() {
  const status = useSiteStatus();
  return (
    <SettingsPanel
      title="Site status"
      anchor="site-status"
      about="Shows whether each part of the site works. If someone else manages the server, send that person the messages about parts that fail."
    >
      <Loaded what="the site status" query={status} rows={8}>
        {(data) => <StatusRows status={data} />}
      </Loaded>
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

function StatusRows({ status: { health, mail, webhook, posts, jobs } }: { status: SiteStatus }) {
  const built = document.querySelector<HTMLMetaElement>('meta[name="built"]')?.content;
  const late = jobs.filter((job) => job.overdue);
  const lastRun = jobs
    .map((job) => job.ranAt)
    .sort()
    .at(-1);
  return (
    <ul className="rows" aria-label="Site status">
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
          <OutboxWords status={mail} health={health.mail} what="email" to="the firm" />
        ) : (
          'No mail server is set up, so the site sends no email. Ask the person who manages the server to set SMTP_URL and MAIL_FROM and restart the site.'
        )}
        {mail.configured && <ResendMail failed={mail.failed + mail.undeliverable + mail.retrying} />}
        {mail.configured && <TestSend path={apiPaths.testMail} button="Send test email" what="email" />}
      </StatusRow>
      <StatusRow name="Team chat" ok={health.webhook === 'ok'} off={!webhook.configured}>
        {webhook.configured ? (
          <OutboxWords status={webhook} health={health.webhook} what="message" to="the team chat" />
        ) : (
          'No team chat, such as Slack or Teams, is connected, so the site doesn’t post new submissions there. To connect one, ask the person who manages the server to set NOTIFY_WEBHOOK_URL and restart the site.'
        )}
        {webhook.configured && <TestSend path={apiPaths.testWebhook} button="Send test message" what="message" />}
      </StatusRow>
      <StatusRow name="Background tasks" ok={health.schedule === 'ok'}>
        {late.length > 0 &&
          (late.length === jobs.length
            ? 'All background tasks are late. '
            : `These background tasks are late: ${late.map((job) => `“${job.name}”`).join(', ')}. `)}
        {lastRun ? (
          <>
            Last run <DateTime iso={lastRun} />
          </>
        ) : health.schedule === 'ok' ? (
          'No background task has run yet. The first tasks usually run within a minute.'
        ) : (
          wordsOf(health.schedule)
        )}
      </StatusRow>
      <StatusRow name="Scheduled posts" ok={health.posts === 'ok'}>
        {health.posts === notChecked ? wordsOf(health.posts) : postsText(posts)}
        {health.posts !== notChecked && posts.nextAt && (
          <>
            {' '}
            {posts.overdue > 0 ? 'The oldest was due' : 'The next one is due'} <DateTime iso={posts.nextAt} zoned />.
          </>
        )}
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

interface StatusRowProps {
  name: string;
  ok: boolean;
  /** Whether this part is optional and not set up. */
  off?: boolean;
  children: ReactNode;
}

function StatusRow({ name, ok, off = false, children }: StatusRowProps) {
  const state = off ? 'off' : ok ? 'working' : 'not working';
  return (
    <li className="grid grid-cols-[10.5rem_minmax(0,1fr)] content-center items-start @max-[36rem]/settings:grid-cols-1">
      <p className={`flex items-center gap-2 semibold ${ok || off ? '' : 'text-alert'}`}>
        <Icon name={off ? 'dash' : ok ? 'tick' : 'cross'} accent={ok && !off} />
        {name}
        <span className="unseen">: {state}</span>
      </p>
      <div className="wrap-anywhere [&>p+p]:mt-1">{children}</div>
    </li>
  );
}

function wordsOf(health: string): string {
  return health === 'ok' ? 'Working' : health.replace(/\.?$/, '.');
}

function postsText({ scheduled, overdue }: SiteStatus['posts']): string {
  if (scheduled === 0) return 'No posts are scheduled.';
  const waiting = `${scheduled} ${scheduled === 1 ? 'post is' : 'posts are'} scheduled`;
  return overdue > 0 ? `${waiting}, and ${overdue} of them should already be public.` : `${waiting}.`;
}

interface OutboxWordsProps {
  status: OutboxStatus;
  health: string;
  what: 'email' | 'message';
  /** The recipient of the messages that could not be delivered (`status.failed`), such as `the firm`. */
  to: string;
}

function OutboxWords({ status, health, what, to }: OutboxWordsProps) {
  const { waiting, retrying, failed, undeliverable, oldestAt, error, succeededAt } = status;
  if (health === notChecked) return <p>{wordsOf(health)}</p>;
  return (
    <>
      {health !== 'ok' && <p>{wordsOf(health)}</p>}
      {error !== null && (
        <p>
          Last error: <code>{error}</code>
        </p>
      )}
      <p>
        {waiting === 0
          ? 'Nothing is waiting to be sent.'
          : `${numberText(waiting)} ${what}${waiting === 1 ? ' is' : 's are'} waiting to be sent${retrying > 0 ? `, including ${numberText(retrying)} that failed` : ''}.`}
        {oldestAt && (
          <>
            {' '}
            {waiting === 1 ? 'It has been waiting' : 'The oldest has been waiting'} since <DateTime iso={oldestAt} />.
          </>
        )}
        {succeededAt && (
          <>
            {' '}
            Last successful {what}: <DateTime iso={succeededAt} />.
          </>
        )}
      </p>
      {failed > 0 && (
        <p>
          {numberText(failed)} {what}
          {failed === 1 ? '' : 's'} to {to} could not be delivered.
        </p>
      )}
      {undeliverable > 0 && (
        <p>
          In the last 7 days, {numberText(undeliverable)}{' '}
          {undeliverable === 1 ? 'acknowledgment to a visitor' : 'acknowledgments to visitors'} could not be delivered.
          The usual reason is that the visitor’s address does not exist.
        </p>
      )}
    </>
  );
}

/** A button that sends every failed email again, and the number of emails after a click. */
function ResendMail({ failed }: { failed: number }) {
  const resend = useResendMail();
  if (failed === 0 && resend.isIdle) return null;
  const queued = resend.data?.queued ?? 0;
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      {failed > 0 && (
        <Button icon="again" onClick={() => resend.mutate()} pending={resend.isPending} pendingLabel="Sending…">
          Send all failed emails again
        </Button>
      )}
      <div role="status">
        {resend.isSuccess && (
          <Notice title={`${numberText(queued)} ${queued === 1 ? 'email' : 'emails'} will be sent again`}>
            <p>The site sends them in the background. Select “Check again” to see the result.</p>
          </Notice>
        )}
      </div>
      {resend.isError && (
        <Notice variant="destructive" title="Couldn’t send the failed emails again">
          <p>{errorText(resend.error)}</p>
        </Notice>
      )}
    </div>
  );
}

/**
 * Shown if uploaded files are missing from file storage, for owners who have no backup. After a click, the site stops
 * reporting these files as missing.
 */
function AcceptMissingFiles() {
  const accept = useAcceptMissingFiles();
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      <p>
        If the files can’t be recovered, you can continue without them. This message then goes away, and posts show no
        picture where a file is missing.
      </p>
      <Button onClick={() => accept.mutate()} pending={accept.isPending} pendingLabel="Saving…">
        Continue without the missing files
      </Button>
      {accept.isError && (
        <Notice variant="destructive" title="Couldn’t continue without the missing files">
          <p>{errorText(accept.error)}</p>
        </Notice>
      )}
    </div>
  );
}
