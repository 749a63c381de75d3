import { dayTimeText } from '../../lib/dates.ts';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { errorText } from '../ui/error-text.ts';
import type { Keeping } from '../drafts/keeper.ts';

interface KeepingStateProps {
  keeping: Keeping;
  /** Something differs from what is saved. */
  changed: boolean;
  onRetry: () => void;
  onSignIn: () => void;
}

interface Said {
  icon: IconName;
  text: string;
  act?: { label: string; onSelect: () => void };
  bad?: boolean;
}

/** Where the latest of what is being written is kept, at any moment. */
export function KeepingState({ keeping, changed, onRetry, onSignIn }: KeepingStateProps) {
  const { icon, text, act, bad } = said(keeping, changed, onRetry, onSignIn);
  return (
    <div className="keeping" data-bad={bad || undefined}>
      <p role="status">
        <Icon name={icon} />
        <span>{text}</span>
      </p>
      {act && (
        <Button look="quiet" onClick={act.onSelect}>
          {act.label}
        </Button>
      )}
    </div>
  );
}

function said(keeping: Keeping, changed: boolean, onRetry: () => void, onSignIn: () => void): Said {
  const { device, server, at, error } = keeping;
  const here = device === 'kept' || device === 'writing';
  const retry = { label: 'Retry', onSelect: onRetry };
  if (server === 'nothing') {
    return { icon: 'tick', text: changed ? 'Not saved yet' : 'No changes to save' };
  }
  if (server === 'kept' && at) {
    return { icon: 'tick', text: `Draft kept on the server, ${dayTimeText(at).split(' ').slice(3).join(' ')}` };
  }
  if (!here && server !== 'waiting' && server !== 'sending') {
    return { icon: 'warning', text: `Not saved: ${errorText(error)}`, act: retry, bad: true };
  }
  if (server === 'signed-out') {
    const act = { label: 'Sign in', onSelect: onSignIn };
    return { icon: 'warning', text: 'Your session has ended. Kept on this device.', act, bad: true };
  }
  if (server === 'offline') {
    return { icon: 'warning', text: 'No connection. Kept on this device.', act: retry, bad: true };
  }
  if (server === 'failed') {
    return {
      icon: 'warning',
      text: `Kept on this device, not on the server: ${errorText(error)}`,
      act: retry,
      bad: true,
    };
  }
  return { icon: 'clock', text: here ? 'Kept on this device' : 'Keeping on the server…' };
}
