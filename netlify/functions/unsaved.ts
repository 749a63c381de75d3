import { endpoint } from '../server/endpoint/endpoint.ts';
import { unsavedRoutes } from '../server/unsaved/routes.ts';

export default endpoint({ requestsAMinute: 600 }, ...unsavedRoutes);
