import { clockText } from '../../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { errorText } from '../../lib/error-text.ts';
import type { Keeping } from '../../drafts/keeper.ts';

interface KeepingStateProps {
  keeping: Keeping;
  /** Whether the form differs from the saved post. */
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

/** The status line that says where the latest changes are saved: on this device, on the server, or nowhere. */
export function KeepingState({ keeping, changed, onRetry, onSignIn }: KeepingStateProps) {
  const { icon, text, act, bad } = said(keeping, changed, onRetry, onSignIn);
  return (
    <div
      className={`keeping flex min-h-(--control) min-w-0 flex-[1_1_12rem] items-center gap-2 ${bad ? 'text-alert' : 'text-ink-soft'}`}
    >
      <p role="status" className="flex min-w-0 items-center gap-2">
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
    return { icon: 'tick', text: changed ? 'Unsaved changes' : 'No changes to save' };
  }
  if (server === 'kept' && at) {
    return { icon: 'tick', text: `Unsaved changes. Backed up to the server at ${clockText(new Date(at))}.` };
  }
  if (!here && server !== 'waiting' && server !== 'sending') {
    return { icon: 'warning', text: `Couldn’t back up your changes: ${errorText(error)}`, act: retry, bad: true };
  }
  if (server === 'signed-out') {
    const act = { label: 'Sign in', onSelect: onSignIn };
    return {
      icon: 'warning',
      text: 'Your session has ended. Your unsaved changes are backed up on this device.',
      act,
      bad: true,
    };
  }
  if (server === 'offline') {
    return {
      icon: 'warning',
      text: 'No connection. Your unsaved changes are backed up on this device.',
      act: retry,
      bad: true,
    };
  }
  if (server === 'failed') {
    return {
      icon: 'warning',
      text: `Unsaved changes. Backed up on this device only. ${errorText(error)}`,
      act: retry,
      bad: true,
    };
  }
  return { icon: 'clock', text: here ? 'Unsaved changes. Backed up on this device.' : 'Backing up your changes…' };
}
