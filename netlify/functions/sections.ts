import { endpoint } from '../server/http/endpoint.ts';
import { sectionRoutes } from '../server/sections/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...sectionRoutes);
