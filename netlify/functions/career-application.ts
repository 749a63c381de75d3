import { endpoint } from '../server/http/endpoint.ts';
import { applicationForm } from '../server/submissions/form-routes.ts';

export default endpoint({ requestsAMinute: 10 }, applicationForm);
