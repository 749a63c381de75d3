import { ApiError, NetworkError } from '../api.ts';
import type { FormTexts } from './definition.ts';

/** What a failed submission means for the visitor. */
interface Failure {
  readonly title: string;
  readonly description: string;
  /** What happens next, or when to try again. */
  readonly note: string | undefined;
  /** The same submission may succeed later, unchanged. */
  readonly retryable: boolean;
}

export function failureOf(error: unknown, texts: FormTexts, online: boolean): Failure {
  const words = error instanceof Error ? error.message : '';
  const forPeople = error instanceof NetworkError || (error instanceof ApiError && error.reason !== undefined);
  return {
    title: texts.failure.title,
    description: texts.describe?.(words) ?? (texts.describesError && forPeople ? words : texts.failure.description),
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
    ? 'What you typed is kept.'
    : 'You are offline. What you typed is kept, and is sent when you are online again.';
}

/** Rounded up, so that the visitor never comes back too early. */
function waitText(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
