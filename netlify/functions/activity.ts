import { activityRoute } from '../server/activity/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';

export default endpoint({ requestsAMinute: 600 }, activityRoute);
