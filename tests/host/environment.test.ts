import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { cutValues, trustCertificates } from '../../host/environment.ts';

test('A value in .env that is cut off at a # is detected, and a comment is not', () => {
  const file = [
    '# ADMIN_PASSWORD=a#b',
    'PORT=8888 # the port of the proxy',
    'ADMIN_PASSWORD=correct#horse',
    'SMTP_URL="smtps://user:p#ss@mail.example.com"',
    "LIBSQL_AUTH_TOKEN='a#b'",
    'export SESSION_SECRET = abc #def',
    'MAIL_FROM=a#b@example.com',
    'HR_EMAIL=hr@example.com',
    '',
  ];
  expect(cutValues(file.join('\n'))).toEqual(['ADMIN_PASSWORD', 'SESSION_SECRET', 'MAIL_FROM']);
  expect(cutValues(file.join('\r\n'))).toEqual(['ADMIN_PASSWORD', 'SESSION_SECRET', 'MAIL_FROM']);
});

test('Certificates from NODE_EXTRA_CA_CERTS in .env are trusted, although Node reads the variable earlier', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const file = join(folder, 'own.pem');
  const before = getCACertificates('default');
  const [own = '', ...others] = getCACertificates('bundled');
  setDefaultCACertificates(others);
  // Ignores line breaks, because Node may wrap the lines of a certificate differently than the file.
  const inOneLine = (certificate: string) => certificate.replace(/\s/g, '');
  const trusted = () => getCACertificates('default').map(inOneLine);
  expect(trusted()).not.toContain(inOneLine(own));
  await writeFile(file, own);
  trustCertificates(file);
  expect(trusted()).toHaveLength(others.length + 1);
  expect(trusted()).toContain(inOneLine(own));
  setDefaultCACertificates(before);
  expect(() => trustCertificates(join(folder, 'missing.pem'))).toThrow(/NODE_EXTRA_CA_CERTS cannot be used: ENOENT/);
  await rm(folder, { recursive: true });
});
