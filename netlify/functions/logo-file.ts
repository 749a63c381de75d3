import { endpoint } from '../server/endpoint/endpoint.ts';
import { logoFileRoute } from '../server/logo/routes.ts';

export default endpoint({ requestsAMinute: 1200 }, logoFileRoute);
