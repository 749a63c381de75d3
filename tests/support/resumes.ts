import type { ApplicationInput } from '../../src/domain/application.ts';

/** Returns the fields of an application as a person would send it, without the resume. */
export function anApplication(changes: Partial<Record<keyof ApplicationInput, string>> = {}) {
  return {
    fullName: 'Mara Quill',
    email: 'mara@quill.example',
    phone: '(562) 555-0188',
    position: 'NetSuite Developer',
    experience: '4-5',
    coverLetter: 'I have written SuiteScript for five years and would like to do it in Torrance.',
    ...changes,
  };
}

const bytesOf = (text: string, size = text.length) => {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from(text, 'latin1'));
  return bytes;
};

/** Returns bytes of this size that begin like a PDF. */
export const aPdf = (size = 2_000) => bytesOf('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', size);

/** Returns an OLE compound file, as of Word 97, with a stream of this name in its directory. */
export function aCompoundFile(stream = 'WordDocument'): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 4_096);
  bytes.set(Buffer.from(stream, 'utf16le'), 1_024);
  return bytes;
}

/**
 * Returns an archive with entries of these names. @param declared the unpacked size in bytes that each entry claims.
 */
export function anArchive(names: readonly string[], declared = 1): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt32LE(1, 18);
    local.writeUInt32LE(declared, 22);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, Buffer.from(name), Buffer.from('x'));
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt32LE(1, 20);
    entry.writeUInt32LE(declared, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    central.push(entry, Buffer.from(name));
    offset += 31 + name.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, list, end]));
}

export const aDocx = () => anArchive(['[Content_Types].xml', '_rels/.rels', 'word/document.xml']);

export const resumeFile = (bytes: Uint8Array<ArrayBuffer> = aPdf(), name = 'Mara Quill.pdf') =>
  new File([bytes], name, { type: 'application/octet-stream' });
