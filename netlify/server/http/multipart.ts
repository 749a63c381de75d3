import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import busboy from 'busboy';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { cleanLine } from '../../../src/domain/text/plain-text.ts';
import {
  type UploadPurpose,
  longestFileName,
  tooLargeFor,
  uploadLimits,
} from '../../../src/domain/submissions/upload.ts';
import type { Services } from '../services.ts';
import { Refusal } from '../refusal.ts';
import {
  type ParsedBody,
  defaultBodyLimit,
  mediaTypeOf,
  mostFields,
  readBody,
  readBytes,
  tooManyFields,
} from './body.ts';

/**
 * Rules for the file of a form. The file is in the form's multipart body, or was uploaded in parts before the form. In
 * the second case, the form has the id of the upload in the field `uploadId`.
 */
export interface FileRule {
  /** The name of the file's field, and the key of its field errors. */
  readonly field: string;
  /** Decides the maximum size, and which uploads in parts are accepted. */
  readonly purpose: UploadPurpose;
  /** The error message if the file is missing. */
  readonly required: string;
  /** Checks the content. @returns an error for the visitor, or null for a good file. */
  readonly refuse?: (file: ReceivedFile) => Promise<string | null> | string | null;
}

export interface ReceivedFile {
  /**
   * The name on the sender's computer, without a path or control characters. Never use it as a name of a stored file.
   */
  readonly name: string;
  /** The type that the sender claims, perhaps empty. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The id of the upload in parts that delivered the file. */
  readonly uploadId?: string;
}

/** A parsed body with the file, or with the reason why the file is refused. */
export interface ParsedForm extends ParsedBody {
  readonly file: ReceivedFile | null;
  readonly fileProblem: { readonly code: ErrorCode; readonly message: string } | null;
}

/** The longest multipart boundary, by RFC 2046, section 5.1.1. */
const longestBoundary = 70;

/**
 * Reads the body of a route that accepts a file. The body is `multipart/form-data` with the file, or any encoding with
 * the field `uploadId` (docs/product.md#uploads). If the file is missing, too large or of the wrong type, the result
 * contains a field error, and nothing is thrown.
 * @throws {Refusal} `malformed_body` for a body that is cut off or has a file in another field, `conflict` if a part of
 * the upload is missing, and those of {@link readBody}.
 */
export async function readForm(request: Request, rule: FileRule, services: Services): Promise<ParsedForm> {
  const isMultipart = mediaTypeOf(request) === 'multipart/form-data';
  const { file: sent, ...body } = isMultipart
    ? await readMultipart(request, rule)
    : { ...(await readBody(request)), file: null };
  const problem = (code: ErrorCode, message: string): ParsedForm => ({
    ...body,
    file: null,
    fileProblem: { code, message },
  });
  if (sent === 'too large') return problem('too_large', tooLargeFor(rule.purpose));
  const uploadId = sent ? null : uploadIdOf(body.value);
  const file = uploadId ? await uploadedFile(uploadId, rule, services) : sent;
  if (!file && uploadId) return problem('conflict', 'This upload does not exist or has expired. Send the file again.');
  const refused = file ? await rule.refuse?.(file) : rule.required;
  return refused ? problem('invalid_input', refused) : { ...body, file, fileProblem: null };
}

function uploadIdOf(body: unknown): string | null {
  const value: unknown = Object.getOwnPropertyDescriptor(Object(body), 'uploadId')?.value;
  return typeof value === 'string' && value !== '' ? value : null;
}

async function uploadedFile(id: string, rule: FileRule, { stores, now }: Services): Promise<ReceivedFile | null> {
  const upload = await stores.uploads.get(id, now().toISOString());
  if (!upload || upload.purpose !== rule.purpose) return null;
  const whole = await stores.uploads.assemble(id, upload);
  if ('missingPart' in whole) {
    throw new Refusal(
      'conflict',
      `Part ${whole.missingPart} of the file did not reach the server. Upload the file again.`,
    );
  }
  return { name: fileName(upload.name), type: upload.type, bytes: whole.bytes, uploadId: id };
}

async function readMultipart(request: Request, rule: FileRule) {
  const limit = uploadLimits[rule.purpose];
  const bytes = await readBytes(request, limit + defaultBodyLimit).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'too_large') throw error;
    const message = tooLargeFor(rule.purpose);
    throw new Refusal('too_large', message, { errors: { [rule.field]: message } });
  });
  const fields: [string, string][] = [];
  let file = null as ReceivedFile | 'too large' | null;
  const parser = parserOf(request.headers.get('content-type') ?? '', limit);
  const refuse = (refusal: Refusal) => void parser.destroy(refusal);
  parser.on('field', (name, value, info) => {
    if (info.nameTruncated || info.valueTruncated) refuse(malformed('A field of the form is too long.'));
    else fields.push([name, value]);
  });
  parser.on('file', (name, stream, info) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The parser reports the same error.
    stream.on('error', () => undefined);
    stream.on('limit', () => (file = 'too large'));
    stream.on('end', () => {
      const content = new Uint8Array(Buffer.concat(chunks));
      // For a file field that the visitor left empty, a browser sends a file without a name and without content.
      if (file === 'too large' || (!info.filename && content.byteLength === 0)) return;
      if (name !== rule.field) refuse(malformed(`Send the file in the field "${rule.field}".`));
      // In the name of a file, browsers write a quotation mark as `%22`.
      else file = { name: fileName((info.filename ?? '').replaceAll('%22', '"')), type: info.mimeType, bytes: content };
    });
  });
  parser.on('filesLimit', () => refuse(malformed('Send one file at a time.')));
  for (const event of ['fieldsLimit', 'partsLimit']) parser.on(event, () => refuse(tooManyFields()));
  try {
    await pipeline(slicesOf(bytes), parser);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw malformed('Only part of the form reached the server. Please send it again.', error);
  }
  return { value: Object.fromEntries(fields), fromForm: true, file };
}

const malformed = (message: string, cause?: unknown) => new Refusal('malformed_body', message, { cause });

function parserOf(contentType: string, fileSize: number): busboy.Busboy {
  if (contentType.length > longestBoundary + 100) {
    throw malformed(`The multipart boundary of the form is longer than ${longestBoundary} characters.`);
  }
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      // The parser reports a file of exactly `fileSize` bytes as too large, so the limit is one byte more. Without a
      // limit on `parts`, a body that consists only of boundaries would take seconds.
      limits: {
        parts: mostFields + 1,
        fields: mostFields,
        files: 1,
        fileSize: fileSize + 1,
        fieldSize: defaultBodyLimit,
        fieldNameSize: 100,
        headerPairs: 20,
      },
    });
  } catch (error) {
    throw malformed('The form has no multipart boundary.', error);
  }
}

/** The parser receives this many bytes at once. The slowest input of this size takes a millisecond. */
const sliceBytes = 32 * 1024;

/** Yields a body in slices. Other requests run between two of them. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await turn();
  }
}

/** Returns the file name in a path of any operating system, without control characters and shortened if necessary. */
function fileName(sent: string): string {
  // Very long text is cut at its beginning, because the extension is at the end.
  const name = cleanLine(sent.slice(-4 * longestFileName).replace(/^.*[/\\]/s, ''));
  if (name.length <= longestFileName) return name === '' ? 'file' : name;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, longestFileName - ending.length)}${ending}`.toWellFormed();
}
