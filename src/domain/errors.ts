import * as z from 'zod/mini';

/**
 * Every expected refusal of the API has one of these codes; {@link errorStatus} is the only table
 * from code to HTTP status.
 */
export const errorStatus = {
  invalid_input: 400,
  malformed_body: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  /** The admin must sign in again first, because the last sign-in is too long ago. */
  fresh_sign_in: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Body of every answer that is not a success (decisions, 'Limits and errors'). */
export const errorBody = z.object({
  /** One sentence for a person. */
  message: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** Also in the `X-Request-Id` header and in the server's log. */
  requestId: z.string(),
  /** One message a field, keyed by the field's name. */
  errors: z.optional(z.record(z.string(), z.string())),
  /** The version on the server, if another person's later change refused a save. */
  current: z.optional(z.unknown()),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** The first message of each field of a failed parse, keyed by the field's dotted path. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = issue.path.join('.') || issue.code;
    messages[field] ??= issue.message;
  }
  return messages;
}
