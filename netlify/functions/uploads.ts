import { apiPaths } from '../../src/domain/api-paths.ts';
import { randomUUID } from 'node:crypto';
import { doneReceipt } from '../../src/domain/session.ts';
import { partBytes, uploadInput, uploadOpened } from '../../src/domain/upload.ts';
import { resumeRefusals } from '../../src/domain/resume.ts';
import { requireSession } from '../server/auth/sessions.ts';
import { mayBeDocument } from '../server/files/document-kind.ts';
import { readBytes } from '../server/http/body.ts';
import { endpoint, on, patternOf } from '../server/endpoint/endpoint.ts';
import { Refusal, notFound } from '../server/runtime/refusal.ts';
import { json } from '../server/http/respond.ts';
import { requireSameOrigin } from '../server/http/same-origin.ts';
import { requireSpace, takeBytes, tooManyBytes } from '../server/security/quotas.ts';

/** An unfinished upload is deleted an hour after its last part. */
const lifetimeMs = 60 * 60_000;
/**
 * An upload that has received no part is deleted after 15 minutes, because its full size counts against the quota that
 * all visitors share (`byteQuotas`).
 */
const firstPartMs = 15 * 60_000;

export default endpoint(
  { requestsAMinute: 120 },
  on('POST', apiPaths.uploads, {
    access: 'public',
    summary: 'Starts an upload in parts. Anyone can send a resume, and admins can send any file',
    input: uploadInput,
    output: uploadOpened,
    status: 201,
    run: async ({ request, address, input, services }) => {
      // Anyone may upload a resume. Only admins may upload other files.
      if (input.purpose !== 'resume') {
        const session = await requireSession(request, services);
        if (session.fromCookie) requireSameOrigin(request, services.env);
      }
      await requireSpace(input.purpose === 'resume' ? 'public' : 'admin', services);
      const id = randomUUID();
      const counted = { id, kind: 'upload', bytes: input.size } as const;
      if (input.purpose === 'resume' && !(await takeBytes(counted, address, services)).taken)
        throw tooManyBytes('upload');
      const expiresAt = new Date(services.now().getTime() + firstPartMs).toISOString();
      await services.stores.uploads.open(id, input, expiresAt);
      return json({ id, partSize: partBytes }, { status: 201 });
    },
  }),
  on('PUT', patternOf(apiPaths.uploadPart, ':id', ':part'), {
    access: 'public',
    summary: 'Receives one part of a file',
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
          `A part of the file arrived with ${bytes.byteLength} bytes instead of ${expected}. Upload the file again.`,
        );
      }
      if (upload.purpose === 'resume' && Number(params.part) === 1 && !mayBeDocument(bytes)) {
        await uploads.remove(id);
        throw new Refusal('invalid_input', resumeRefusals.type);
      }
      await requireSpace(upload.purpose === 'resume' ? 'public' : 'admin', services);
      await uploads.putPart(id, Number(params.part), bytes);
      await uploads.keepUntil(id, new Date(services.now().getTime() + lifetimeMs).toISOString());
      return { success: true };
    },
  }),
);
