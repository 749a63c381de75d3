import { randomUUID } from 'node:crypto';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import { resumeRefusals } from '../../../src/domain/submissions/application.ts';
import { partBytes, uploadInput, uploadOpened } from '../../../src/domain/submissions/upload.ts';
import { requireSession } from '../auth/sessions.ts';
import { type Route, on, patternOf } from '../http/endpoint.ts';
import { mayBeDocument } from '../files/document-kind.ts';
import { readBytes } from '../http/body.ts';
import { requireSameOrigin } from '../http/cookies.ts';
import { Refusal, notFound } from '../refusal.ts';
import { requireSpace, takeBytes, tooManyBytes } from './quotas.ts';

/** An unfinished upload is deleted an hour after its last part, and after 15 minutes if it has received no part. */
const lifetimeMs = 60 * 60_000;
const firstPartMs = 15 * 60_000;

export const uploadRoutes: readonly Route[] = [
  on('POST', apiPaths.uploads, {
    access: 'public',
    summary: 'Starts an upload in parts. Anyone can send a resume, and admins can send any file',
    input: uploadInput,
    output: uploadOpened,
    status: 201,
    errors: {
      unauthorized: 'A file for the Media Library or the logo needs a session.',
      forbidden_origin: 'The request has a session cookie and comes from a page of another site.',
      storage_full: "The server's disk is almost full.",
    },
    run: async ({ request, input, services }) => {
      // Anyone may upload a resume. Only admins may upload other files.
      if (input.purpose !== 'resume') {
        const session = await requireSession(request, services);
        if (session.fromCookie) requireSameOrigin(request, services.env);
      }
      await requireSpace(input.purpose === 'resume' ? 'public' : 'admin', services);
      const id = randomUUID();
      const expiresAt = new Date(services.now().getTime() + firstPartMs).toISOString();
      await services.stores.uploads.open(id, input, expiresAt);
      return { id, partSize: partBytes };
    },
  }),
  on('PUT', patternOf(apiPaths.uploadPart, ':id', ':part'), {
    access: 'public',
    summary: 'Receives one part of a file',
    rawBody: true,
    errors: {
      invalid_input: 'The part has the wrong size, or the first part of a resume is not the beginning of a document.',
    },
    run: async ({ request, params, address, services }) => {
      const { uploads } = services.stores;
      const id = params.id ?? '';
      const part = Number(params.part);
      const upload = await uploads.get(id, services.now().toISOString());
      if (!upload) throw notFound('This upload');
      const expected = uploads.expectedBytes(upload, part);
      if (expected === null) throw notFound('This part');
      const bytes = await readBytes(request, partBytes);
      if (bytes.byteLength !== expected) {
        throw new Refusal(
          'invalid_input',
          `A part of the file arrived with ${bytes.byteLength} bytes instead of ${expected}. Upload the file again.`,
        );
      }
      const isResume = upload.purpose === 'resume';
      if (isResume && part === 1 && !mayBeDocument(bytes)) {
        await uploads.remove(id);
        throw new Refusal('invalid_input', resumeRefusals.type);
      }
      await requireSpace(isResume ? 'public' : 'admin', services);
      // Only bytes that arrived count, with those of the parts before this one.
      const counted = { id, kind: 'upload', bytes: (part - 1) * partBytes + expected } as const;
      if (isResume && !(await takeBytes(counted, address, services)).taken) throw tooManyBytes('upload');
      await uploads.putPart(id, part, bytes);
      await uploads.keepUntil(id, new Date(services.now().getTime() + lifetimeMs).toISOString());
    },
  }),
];
