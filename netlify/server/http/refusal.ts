import type { ErrorCode } from '../../../src/domain/errors.ts';

/**
 * An expected refusal: the endpoint answers it with the status of its code and these words. Anything else that is
 * thrown is a fault, logged and answered as a plain 500.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** One message a field, keyed by the field's name. */
  readonly errors: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  /** What stands on the server, where a later change refuses a save. */
  readonly current: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      errors?: Record<string, string>;
      headers?: Record<string, string>;
      current?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
    this.current = details.current;
  }
}

export const notFound = (what: string) => new Refusal('not_found', `${what} was not found.`);
