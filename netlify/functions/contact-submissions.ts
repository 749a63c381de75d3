import { endpoint } from '../server/http/endpoint.ts';
import { submissionRoutes } from '../server/submissions/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...submissionRoutes('inquiry'));
