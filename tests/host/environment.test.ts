import { expect, test } from 'vitest';
import { cutValues } from '../../host/environment.ts';

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
