import { endpoint } from '../server/http/endpoint.ts';
import { uploadRoutes } from '../server/uploads/routes.ts';

export default endpoint({ requestsAMinute: 120 }, ...uploadRoutes);
