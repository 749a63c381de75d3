import * as z from 'zod/mini';
import type { Field } from './field.ts';
import { fieldSchema } from './field-schema.ts';

/** Request body for sending a message about a submission again: `POST …/{id}/resend`. */
export const resendInput = z.object({
  mail: z.enum(['firm', 'sender', 'webhook'], 'The message to send again must be one of these: firm, sender, webhook.'),
});

/** Request body for marking a submission as handled or not handled: `POST …/{id}/handled`. */
export const handledInput = z.object({ handled: z.boolean('The value of “handled” must be true or false.') });

export const noteField = {
  label: 'Private note',
  kind: 'lines',
  min: 0,
  max: 5_000,
  message: 'The note must be text.',
} as const satisfies Field;

/**
 * Request body for saving an admin's note: `PUT …/{id}/note`. An empty note removes the stored note. `was` is the note
 * that the admin saw before. The server rejects the request if the stored note is not `was`. Without `was`, the request
 * always overwrites the note.
 */
export const noteInput = z.object({ note: fieldSchema(noteField), was: z.optional(fieldSchema(noteField)) });

/** Request body for keeping an application after its deletion date, or no longer: `POST …/{id}/kept`. */
export const keptInput = z.object({ kept: z.boolean('The value of “kept” must be true or false.') });
