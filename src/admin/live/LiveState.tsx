import type { Publishing } from '../../domain/section.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type LiveState as State, forgetPublic, useLiveState, watchPublic } from './live-state.ts';

const waiting: Record<Publishing, string> = {
  server: 'This usually takes a few seconds.',
  build:
    'Netlify is building the site, which usually takes one to three minutes. Visitors with JavaScript see the text already.',
  deploy: '',
};

const advice: Record<Publishing, string> = {
  server: 'Your text is saved. Look for errors under Site status and in the log.',
  build: 'Your text is saved. Check the latest build in Netlify, and that BUILD_HOOK_URL names its build hook.',
  deploy:
    'Your text is saved, and visitors with JavaScript see it already. For everyone else, deploy the site again. Set BUILD_HOOK_URL so that each save does this.',
};

/** Says whether visitors have the last save, as the public page itself shows it. */
export function LiveState() {
  const state = useLiveState();
  return (
    <div role="status" className="live-state-room">
      {state && <Shown {...state} />}
    </div>
  );
}

function Shown({ change, phase, at, problem }: State) {
  const { subject, href, publishing } = change;
  return (
    <div className={`live-state live-state-${phase}`}>
      <Icon name={phase === 'live' ? 'tick' : phase === 'late' ? 'warning' : 'clock'} />
      <div>
        <p>
          {phase === 'live' && (
            <>
              <strong>Live</strong> since <DateTime iso={at} />: {subject}
            </>
          )}
          {phase === 'checking' && <>Checking the public page: {subject}</>}
          {phase === 'waiting' && <>Saved, not public yet: {subject}</>}
          {phase === 'late' && (
            <>
              <strong>Saved, but not public:</strong> {subject}
            </>
          )}
        </p>
        {problem !== null && (
          <p className="live-state-reason">
            {problem} {(phase === 'late' ? advice : waiting)[publishing]}
          </p>
        )}
      </div>
      <div className="live-state-buttons">
        {phase === 'late' && (
          <Button icon="again" onClick={() => watchPublic(change)}>
            Check again
          </Button>
        )}
        <a href={href} target="_blank" rel="noopener">
          Open the page
        </a>
        <IconButton icon="cross" label="Close this message" onClick={forgetPublic} />
      </div>
    </div>
  );
}
