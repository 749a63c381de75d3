import { ApiError, NetworkError } from '../../request/api.ts';
import type { FormTexts } from '../definition.ts';

interface Failure {
  readonly title: string;
  readonly description: string;
  /** What happens next, or when to try again. */
  readonly note: string | undefined;
  /** True if the same submission may succeed later. */
  readonly retryable: boolean;
}

export function failureOf(error: unknown, texts: FormTexts, online: boolean): Failure {
  const words = error instanceof Error ? error.message : '';
  const unreachable = error instanceof NetworkError;
  const forPeople = unreachable || (error instanceof ApiError && error.reason !== undefined);
  return {
    title: texts.failure.title,
    // The form sends itself when the browser is online again, so an offline visitor is not asked to try again.
    description:
      unreachable && !online
        ? 'You’re offline.'
        : (texts.describe?.(words) ?? (texts.describesError && forPeople ? words : texts.failure.description)),
    note: noteOf(error, online),
    retryable: isRetryable(error),
  };
}

function isRetryable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 408;
  return error instanceof NetworkError;
}

function noteOf(error: unknown, online: boolean): string | undefined {
  if (error instanceof ApiError && error.status === 429) {
    return `You can try again in ${waitText(error.retryAfterSeconds ?? 60)}.`;
  }
  if (!isRetryable(error)) return undefined;
  return online
    ? 'Your answers are still in the form.'
    : 'Your answers are saved. Keep this page open, and we’ll send them when you’re back online.';
}

/** Formats a waiting time. Minutes are rounded up, so the visitor never returns too early. */
function waitText(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
