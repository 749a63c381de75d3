import { apiPaths } from '../../src/domain/api-paths.ts';
import { inquiryFields, inquiryPage, inquiryRecord } from '../../src/domain/inquiry.ts';
import { endpoint } from '../server/http/endpoint.ts';
import { submissionRoutes } from '../server/submissions/routes.ts';

export default endpoint(
  { requestsAMinute: 600 },
  ...submissionRoutes({
    kind: 'inquiry',
    paths: apiPaths.inquiries,
    one: 'an inquiry',
    many: 'inquiries',
    fields: inquiryFields,
    record: inquiryRecord,
    page: inquiryPage,
    store: ({ inquiries }) => inquiries,
  }),
);
