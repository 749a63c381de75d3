import { endpoint } from '../server/http/endpoint.ts';
import { healthRoute } from '../server/status/routes.ts';

export default endpoint({ requestsAMinute: 600 }, healthRoute);
