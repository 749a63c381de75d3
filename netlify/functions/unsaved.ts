import { endpoint } from '../server/http/endpoint.ts';
import { unsavedRoutes } from '../server/unsaved/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...unsavedRoutes);
