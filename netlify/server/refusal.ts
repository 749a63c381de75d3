import type { ErrorCode } from '../../src/domain/errors.ts';

/**
 * An expected error. The response has the HTTP status of the error's code, and the error's message. Any other error
 * that is thrown is logged, and the response is a plain 500.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  /** One message for each invalid field, by the field's name. */
  readonly errors: Record<string, string> | undefined;
  readonly headers: Record<string, string>;
  /** The current version on the server, if a save is refused because someone else saved a newer version. */
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

/** Returns a record. @throws {Refusal} `not_found` if there is none. */
export function found<T>(record: T | null, what: string): T {
  if (record === null) throw notFound(what);
  return record;
}

/** For a path under `/api` that no function serves. */
export const unknownRoute = () =>
  new Refusal('not_found', 'The API has no route at this URL. /api/openapi.json lists all routes.');

export const onlyReads = () =>
  new Refusal('method_not_allowed', 'This URL accepts only GET and HEAD requests.', {
    headers: { allow: 'GET, HEAD' },
  });

/** The response to an error that nobody expected. The log has the error. */
export const unexpected = () => new Refusal('internal', 'Something went wrong on our side. Please try again.');
