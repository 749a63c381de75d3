import { endpoint } from '../server/http/endpoint.ts';
import { inquiryForm } from '../server/submissions/form-routes.ts';

export default endpoint({ requestsAMinute: 20 }, inquiryForm);
