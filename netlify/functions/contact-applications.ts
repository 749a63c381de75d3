import { endpoint } from '../server/http/endpoint.ts';
import { applicationRoutes, submissionRoutes } from '../server/submissions/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...submissionRoutes('application'), ...applicationRoutes);
