import { accountRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/endpoint/endpoint.ts';

export default endpoint({ requestsAMinute: 120 }, ...accountRoutes);
