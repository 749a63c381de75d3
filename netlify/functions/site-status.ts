import { endpoint } from '../server/http/endpoint.ts';
import { statusRoutes } from '../server/status/routes.ts';

export default endpoint({ requestsAMinute: 120 }, ...statusRoutes);
