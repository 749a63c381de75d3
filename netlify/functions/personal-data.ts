import type { Config } from '@netlify/functions';
import { personQuery, personalData, personalDataCopy } from '../../src/domain/personal-data.ts';
import { inExportTurn } from '../server/exports.ts';
import { attachmentHeaders } from '../server/http/attachment.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { copyPersonalData, erasePersonalData, findPersonalData } from '../server/personal-data.ts';

export default endpoint(
  on('GET', '/api/contact/personal-data', {
    access: 'admin',
    summary: 'What the site holds of a person, by email address',
    query: personQuery,
    output: personalData,
    run: ({ query, services }) => findPersonalData(query.email, services),
  }),
  on('GET', '/api/contact/personal-data.json', {
    access: 'admin',
    fresh: true,
    summary: 'A copy of what the site holds of a person, as a file for them',
    query: personQuery,
    output: personalDataCopy,
    run: async ({ query, services, record }) => {
      const copy = await inExportTurn(() => copyPersonalData(query.email, services));
      record(
        'saved a copy of a person’s data',
        [...copy.inquiries, ...copy.applications].map(({ reference }) => reference).join(', '),
      );
      return new Response(JSON.stringify(copy, null, 2), {
        headers: attachmentHeaders('personal-data.json', 'application/json; charset=utf-8'),
      });
    },
  }),
  on('POST', '/api/contact/erase', {
    access: 'admin',
    fresh: true,
    summary: 'Erases everything that the site holds of a person: inquiries, applications, resumes, mails and drafts',
    input: personQuery,
    output: personalData,
    run: async ({ input, services, record }) => {
      const erased = await erasePersonalData(input.email, services);
      // Whose data it was is not kept: the record must not hold what was to be forgotten.
      record('erased a person’s data', [...erased.inquiries, ...erased.applications].join(', '));
      return erased;
    },
  }),
);

export const config: Config = {
  path: ['/api/contact/personal-data', '/api/contact/personal-data.json', '/api/contact/erase'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
