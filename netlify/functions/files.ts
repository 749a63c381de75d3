import { endpoint } from '../server/http/endpoint.ts';
import { logoFileRoute } from '../server/logo/serve.ts';
import { mediaFileRoute } from '../server/media/serve.ts';

export default endpoint({ requestsAMinute: 1200 }, logoFileRoute, mediaFileRoute);
