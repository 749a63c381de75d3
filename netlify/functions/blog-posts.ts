import { endpoint } from '../server/http/endpoint.ts';
import { postRoutes } from '../server/posts/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...postRoutes);
