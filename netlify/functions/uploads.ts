import { randomUUID } from 'node:crypto';
import type { Config } from '@netlify/functions';
import { doneReceipt } from '../../src/domain/session.ts';
import { partBytes, uploadInput, uploadOpened } from '../../src/domain/upload.ts';
import { requireSession } from '../server/auth/sessions.ts';
import { readBytes } from '../server/http/body.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { Refusal, notFound } from '../server/http/refusal.ts';
import { json } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';

/** A file that is not finished by then is forgotten. */
const lifetimeMs = 24 * 60 * 60_000;

export default endpoint(
  on('POST', '/api/uploads', {
    access: 'public',
    summary: 'Opens an upload in parts; anybody may send a resume, admins everything',
    input: uploadInput,
    output: uploadOpened,
    status: 201,
    run: async ({ request, input, services }) => {
      // Anybody may send a resume; everything else is the admin's.
      if (input.purpose !== 'resume') {
        const session = await requireSession(request, services);
        if (session.fromCookie) requireSameOrigin(request);
      }
      const id = randomUUID();
      const expiresAt = new Date(services.now().getTime() + lifetimeMs).toISOString();
      await services.stores.uploads.open(id, input, expiresAt);
      return json({ id, partSize: partBytes }, { status: 201 });
    },
  }),
  on('PUT', '/api/uploads/:id/parts/:part', {
    access: 'public',
    summary: 'Takes one part of a file',
    rawBody: true,
    output: doneReceipt,
    run: async ({ request, params, services }) => {
      const { uploads } = services.stores;
      const id = params.id ?? '';
      const upload = await uploads.get(id, services.now().toISOString());
      if (!upload) throw notFound('This upload');
      const expected = uploads.expectedBytes(upload, Number(params.part));
      if (expected === null) throw notFound('This part');
      const bytes = await readBytes(request, partBytes);
      if (bytes.byteLength !== expected) {
        throw new Refusal(
          'invalid_input',
          `This part has ${bytes.byteLength} bytes, but ${expected} belong to it. Send it again.`,
        );
      }
      await uploads.putPart(id, Number(params.part), bytes);
      return { success: true };
    },
  }),
);

export const config: Config = {
  path: ['/api/uploads', '/api/uploads/:id/parts/:part'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
