import type { Config } from '@netlify/functions';
import { personQuery, personalData } from '../../src/domain/personal-data.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { erasePersonalData, findPersonalData } from '../server/personal-data.ts';

export default endpoint(
  on('GET', '/api/contact/personal-data', {
    access: 'admin',
    summary: 'What the site holds of a person, by email address',
    query: personQuery,
    output: personalData,
    run: ({ query, services }) => findPersonalData(query.email, services),
  }),
  on('POST', '/api/contact/erase', {
    access: 'admin',
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
  path: ['/api/contact/personal-data', '/api/contact/erase'],
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
