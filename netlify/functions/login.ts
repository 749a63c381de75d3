import { signInRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';
import { setUpRoutes } from '../server/people/routes.ts';

export default endpoint({ requestsAMinute: 60 }, ...signInRoutes, ...setUpRoutes);
