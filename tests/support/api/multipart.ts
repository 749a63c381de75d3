import type { Sent } from './services.ts';

/** Returns a multipart body as a browser encodes it, for {@link call}. The file name comes from the `File` object. */
export async function multipart(
  fields: Record<string, string | File>,
  headers: Record<string, string> = {},
): Promise<Sent & { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  const made = new Response(form);
  return {
    method: 'POST',
    body: new Uint8Array(await made.arrayBuffer()),
    headers: { 'content-type': made.headers.get('content-type') ?? '', ...headers },
  };
}
