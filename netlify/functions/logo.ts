import { endpoint } from '../server/http/endpoint.ts';
import { logoRoutes } from '../server/logo/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...logoRoutes);
