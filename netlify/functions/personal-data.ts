import { apiPaths } from '../../src/domain/api-paths.ts';
import { personQuery, personalData, personalDataCopy } from '../../src/domain/personal-data.ts';
import { inExportTurn } from '../server/submissions/csv.ts';
import { attachmentHeaders } from '../server/http/file-answer.ts';
import { endpoint, on } from '../server/http/endpoint.ts';
import { copyPersonalData, erasePersonalData, findPersonalData } from '../server/submissions/personal-data.ts';

export default endpoint(
  { requestsAMinute: 120 },
  on('GET', apiPaths.personalData, {
    access: 'admin',
    summary: 'The submissions of a person, by email address',
    query: personQuery,
    output: personalData,
    run: ({ query, services }) => findPersonalData(query.email, services),
  }),
  on('GET', apiPaths.personalDataCopy, {
    access: 'admin',
    fresh: true,
    summary: 'A file with a copy of the data that the site has about a person',
    query: personQuery,
    output: personalDataCopy,
    run: async ({ query, services, record }) => {
      const copy = await inExportTurn(() => copyPersonalData(query.email, services));
      record(
        "saved a copy of a person's data",
        [...copy.inquiries, ...copy.applications].map(({ reference }) => reference).join(', '),
      );
      return new Response(JSON.stringify(copy, null, 2), {
        headers: attachmentHeaders('personal-data.json', 'application/json; charset=utf-8'),
      });
    },
  }),
  on('POST', apiPaths.erasePersonalData, {
    access: 'admin',
    fresh: true,
    summary: 'Erases all data about a person: inquiries, applications, resumes and emails',
    input: personQuery,
    output: personalData,
    run: async ({ input, services, record }) => {
      const erased = await erasePersonalData(input.email, services);
      // The activity log entry does not name the person, because it must not contain erased data.
      record('erased a person’s data', [...erased.inquiries, ...erased.applications].join(', '));
      return erased;
    },
  }),
);
