import * as z from 'zod/mini';

/** The error codes of the API, each with its HTTP status. */
export const errorStatus = {
  invalid_input: 400,
  malformed_body: 400,
  unauthorized: 401,
  forbidden_origin: 403,
  /** The admin must sign in again, because the last sign-in is too old for this action. */
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

/** Body of every error response (docs/product.md#errors). */
export const errorBody = z.object({
  /** One sentence to show to the user. */
  message: z.string(),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  /** The id of the request, also in the `X-Request-Id` header and in the server's log. */
  requestId: z.string(),
  /** Validation errors: one message for each invalid field, by field name. */
  errors: z.optional(z.record(z.string(), z.string())),
  /** The stored version, if the save was rejected because another admin saved a later version. */
  current: z.optional(z.unknown()),
});

export type ErrorBody = z.infer<typeof errorBody>;

/** Returns the first validation message of each field, by the field's dotted path. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = issue.path.join('.') || issue.code;
    messages[field] ??= issue.message;
  }
  return messages;
}
