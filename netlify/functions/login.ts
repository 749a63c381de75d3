import { signInRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';

export default endpoint({ requestsAMinute: 60 }, ...signInRoutes);
