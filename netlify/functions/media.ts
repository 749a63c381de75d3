import { endpoint } from '../server/http/endpoint.ts';
import { mediaRoutes } from '../server/media/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...mediaRoutes);
