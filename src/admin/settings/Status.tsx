import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import {
  type HealthPartName,
  healthParts,
  notChecked,
  type OutboxStatus,
  type SiteStatus,
  queuedMail,
  siteStatus,
  testReceipts,
} from '../../domain/site/site-status.ts';
import { numberText } from '../../domain/text/text.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel, Rows, useChange, usePanel } from './Panel.tsx';

/** Shows the state of each part of the site, and what to do about the parts that fail. */
export function Status() {
  const status = usePanel(apiPaths.siteStatus, siteStatus);
  return (
    <Panel
      title="Site status"
      anchor="site-status"
      about="Shows whether each part of the site works. If someone else manages the server, send that person the messages about parts that fail."
    >
      <Rows label="Site status" what="the site status" query={status}>
        {(data) => healthParts.map((part) => <Part key={part} part={part} status={data} />)}
      </Rows>
      <Button icon="again" onClick={() => void status.refetch()} pending={status.isRefetching} pendingLabel="Checking…">
        Check again
      </Button>
    </Panel>
  );
}

const names: Record<HealthPartName, string> = {
  database: 'Database',
  blobs: 'File storage',
  disk: 'Disk',
  mail: 'Email',
  webhook: 'Team chat',
  schedule: 'Background tasks',
  backup: 'Backups',
  pages: 'Pages',
};

const noMail =
  'No mail server is set up, so the site sends no email. Ask the person who manages the server to set SMTP_URL and MAIL_FROM and restart the site';
const noChat =
  'No team chat, such as Slack or Teams, is connected. To connect one, ask the person who manages the server to set NOTIFY_WEBHOOK_URL and restart the site';

const noBackups =
  'The site makes no automatic backups. Ask the person who manages the server to set BACKUP_DIR or BACKUP_URL and restart the site. If the site is on Netlify, that person must back it up from another machine (docs/operate.md)';

/** One part: whether it works, or what happened and what to do. */
function Part({ part, status }: { part: HealthPartName; status: SiteStatus }) {
  const { health, mail, webhook, backedUpAt } = status;
  const off =
    (part === 'webhook' && !webhook.configured && noChat) ||
    (part === 'backup' && backedUpAt === undefined && noBackups);
  const words = off || (part === 'mail' && !mail.configured ? noMail : health[part]);
  const works = words === 'ok';
  const unsetState = off || words === noMail ? 'not set up' : null;
  const state = unsetState ?? (works ? 'working' : words === notChecked ? 'not checked' : 'not working');
  return (
    <li className="grid grid-cols-[10.5rem_minmax(0,1fr)] content-center items-start @max-[36rem]/settings:grid-cols-1">
      <p className={`flex items-center gap-2 semibold ${works || off ? '' : 'text-alert'}`}>
        <Icon name={off ? 'dash' : works ? 'tick' : 'cross'} accent={works} />
        {names[part]}
        <span className="sr-only">: {state}</span>
      </p>
      <div className="grid justify-items-start gap-1 wrap-anywhere">
        <p>{works ? 'Working' : words.replace(/\.?$/, '.')}</p>
        {detailOf(part, status)}
      </div>
    </li>
  );
}

function detailOf(part: HealthPartName, { health, mail, webhook, backedUpAt, rehearsal }: SiteStatus): ReactNode {
  const built = document.querySelector<HTMLMetaElement>('meta[name="built"]')?.content;
  if (part === 'mail' && mail.configured) return <Channel {...mail} what="email" testPath={apiPaths.testMail} />;
  if (part === 'webhook' && webhook.configured) {
    return <Channel {...webhook} what="message" testPath={apiPaths.testWebhook} />;
  }
  if (part === 'backup' && backedUpAt) {
    return (
      <>
        <p>
          Last backup: <DateTime iso={backedUpAt} />
        </p>
        {rehearsal && (
          <p>
            {rehearsal.error === null ? 'Last test restore: ' : 'Test restore failed: '}
            <DateTime iso={rehearsal.at} />
          </p>
        )}
        {rehearsal?.error && <p>{rehearsal.error}</p>}
      </>
    );
  }
  if (part !== 'pages' || !built) return null;
  return (
    <p>
      Built <DateTime exact iso={built} />, version {health.version}
    </p>
  );
}

interface ChannelProps extends OutboxStatus {
  what: 'email' | 'message';
  testPath: string;
}

/** The last error of email or of the team chat, and buttons that send a test or the failed emails again. */
function Channel({ what, testPath, resendable, error }: ChannelProps) {
  const resend = useChange((send) => send(apiPaths.resendMail, { method: 'POST', schema: queuedMail }), {
    done: ({ queued }) => ({
      title: `${numberText(queued)} ${queued === 1 ? 'email' : 'emails'} will be sent again`,
      description: 'The site sends them in the background. Select “Check again” to see the result.',
    }),
    failed: 'Couldn’t send the failed emails again',
  });
  // Sends a test message to every receiver that the site is set up for.
  const test = useChange((send) => send(testPath, { method: 'POST', schema: testReceipts }), {
    failed: `No ${what} was sent`,
  });
  return (
    <>
      {error !== null && (
        <p>
          Last error: <code>{error}</code>
        </p>
      )}
      <div className="actions mt-1">
        {what === 'email' && resendable > 0 && (
          <Button act={resend} icon="again" pendingLabel="Sending…">
            Send all failed emails again
          </Button>
        )}
        <Button act={test} pendingLabel="Sending…">
          Send test {what}
        </Button>
      </div>
      <div className="grid gap-1" role="status">
        {test.data?.receipts.map(({ to, sent, answer }) => (
          <Notice
            key={to}
            variant={sent ? 'default' : 'destructive'}
            title={`The ${what} to ${to} was ${sent ? '' : 'not '}accepted`}
          >
            <p>
              Result: <code>{answer}</code>
            </p>
          </Notice>
        ))}
      </div>
    </>
  );
}
