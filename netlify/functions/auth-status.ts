import { statusRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/endpoint/endpoint.ts';

export default endpoint({ requestsAMinute: 600 }, ...statusRoutes);
