import type { ReactNode } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { notChecked } from '../../domain/health.ts';
import { numberText } from '../../domain/number-words.ts';
import type { OutboxStatus, SiteStatus } from '../../domain/site-status.ts';
import { errorText } from '../lib/error-text.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Loaded } from './Loaded.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { TestSend } from './TestSend.tsx';
import { useResendMail, useSiteStatus } from './queries.ts';

/** Shows the state of each part of the site, and what to do about the parts that fail. */
export function StatusPanel() {
  const status = useSiteStatus();
  return (
    <SettingsPanel
      title="Site status"
      anchor="site-status"
      about="Shows whether each part of the site works. If someone else manages the server, send that person the messages about parts that fail."
    >
      <Loaded what="the site status" query={status} rows={7}>
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

function StatusRows({ status: { health, mail, webhook, ranAt } }: { status: SiteStatus }) {
  const built = document.querySelector<HTMLMetaElement>('meta[name="built"]')?.content;
  return (
    <ul className="rows" aria-label="Site status">
      <StatusRow name="Database" words={health.database} />
      <StatusRow name="Files" words={health.blobs} />
      <StatusRow name="Disk" words={health.disk} />
      {mail.configured ? (
        <StatusRow name="Email" words={health.mail}>
          <ChannelState {...mail} what="email" />
          <ResendMail failed={mail.resendable} />
          <TestSend path={apiPaths.testMail} button="Send test email" what="email" />
        </StatusRow>
      ) : (
        <StatusRow
          name="Email"
          words="No mail server is set up, so the site sends no email. Ask the person who manages the server to set SMTP_URL and MAIL_FROM and restart the site"
        />
      )}
      {webhook.configured ? (
        <StatusRow name="Team chat" words={health.webhook}>
          <ChannelState {...webhook} what="message" />
          <TestSend path={apiPaths.testWebhook} button="Send test message" what="message" />
        </StatusRow>
      ) : (
        <StatusRow
          name="Team chat"
          off
          words="No team chat, such as Slack or Teams, is connected. To connect one, ask the person who manages the server to set NOTIFY_WEBHOOK_URL and restart the site"
        />
      )}
      <StatusRow name="Background tasks" words={health.schedule}>
        {ranAt && (
          <p>
            Last run: <DateTime iso={ranAt} />
          </p>
        )}
      </StatusRow>
      <StatusRow name="Pages" words={health.pages}>
        {built && (
          <p>
            Built <DateTime iso={built} />, version {health.version}
          </p>
        )}
      </StatusRow>
    </ul>
  );
}

interface StatusRowProps {
  name: string;
  /** `ok`, or what happened and what to do. */
  words: string;
  /** Whether this part is optional and not set up. */
  off?: boolean;
  children?: ReactNode;
}

function StatusRow({ name, words, off = false, children }: StatusRowProps) {
  const works = words === 'ok';
  const state = off ? 'off' : works ? 'working' : words === notChecked ? 'not checked' : 'not working';
  return (
    <li className="grid grid-cols-[10.5rem_minmax(0,1fr)] content-center items-start @max-[36rem]/settings:grid-cols-1">
      <p className={`flex items-center gap-2 semibold ${works || off ? '' : 'text-alert'}`}>
        <Icon name={off ? 'dash' : works ? 'tick' : 'cross'} accent={works} />
        {name}
        <span className="unseen">: {state}</span>
      </p>
      <div className="wrap-anywhere [&>p+p]:mt-1">
        <p>{works ? 'Working' : words.replace(/\.?$/, '.')}</p>
        {children}
      </div>
    </li>
  );
}

/** The last error and the last success of email or of the team chat, and what is waiting. */
function ChannelState({ waiting, error, failingSince, succeededAt, what }: OutboxStatus & { what: string }) {
  return (
    <>
      {failingSince && (
        <p>
          Failing since <DateTime iso={failingSince} />
        </p>
      )}
      {error !== null && (
        <p>
          Last error: <code>{error}</code>
        </p>
      )}
      {waiting > 0 && (
        <p>
          {numberText(waiting)} {waiting === 1 ? `${what} is` : `${what}s are`} waiting to be sent.
        </p>
      )}
      {succeededAt && (
        <p>
          Last {what} sent: <DateTime iso={succeededAt} />
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
