import { apiPaths } from '../../../src/domain/api-paths.ts';
import { partBytes } from '../../../src/domain/submissions/upload.ts';
import { aPdf } from '../samples/files.ts';

interface UploadRequest {
  readonly method: 'POST' | 'PUT';
  readonly json?: object;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Sends a file in parts, as the site's forms do.
 * @param send sends one request to a path of the site.
 * @param options.until the last part to send; by default all.
 * @returns the id of the upload.
 * @throws if the site refuses a request.
 */
export async function uploadInParts(
  file: Uint8Array<ArrayBuffer>,
  send: (path: string, request: UploadRequest) => Promise<Response>,
  { name = 'resume.pdf', purpose = 'resume', until = Infinity } = {},
): Promise<string> {
  const accepted = async (path: string, request: UploadRequest) => {
    const response = await send(path, request);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const json = { name, size: file.byteLength, purpose };
  const { id } = (await (await accepted(apiPaths.uploads, { method: 'POST', json })).json()) as { id: string };
  for (let part = 1; (part - 1) * partBytes < file.byteLength && part <= until; part += 1) {
    const body = file.slice((part - 1) * partBytes, part * partBytes);
    await accepted(apiPaths.uploadPart(id, part), { method: 'PUT', body });
  }
  return id;
}

/** Returns a function that sends the requests of an upload to a running site. */
export const sendTo =
  (url: string, headers: Record<string, string> = {}) =>
  (path: string, { json, ...request }: UploadRequest) =>
    fetch(url + path, {
      ...request,
      headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    });

/**
 * Uploads a PDF to the media library of a running site.
 * @param token the token of an admin's session.
 * @param size in bytes.
 * @returns the file's public path.
 */
export async function publishFile({ url }: { url: string }, token: string, size: number): Promise<string> {
  const send = sendTo(url, { authorization: `Bearer ${token}` });
  const uploadId = await uploadInParts(aPdf(size), send, { name: 'big.pdf', purpose: 'media' });
  const added = await send(apiPaths.media, { method: 'POST', json: { uploadId } });
  if (!added.ok) throw new Error(`${apiPaths.media}: ${added.status}`);
  return ((await added.json()) as { data: { url: string } }).data.url;
}
