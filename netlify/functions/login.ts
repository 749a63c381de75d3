import { accountRoutes, signInRoutes, statusRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';

export default endpoint({ requestsAMinute: 120 }, ...signInRoutes, ...statusRoutes, ...accountRoutes);
