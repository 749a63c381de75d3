import { accountRoutes, statusRoutes } from '../server/auth/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';
import { peopleRoutes } from '../server/people/routes.ts';

/**
 * Has a limit of its own, so a person who guesses passwords in the same network does not keep signed-in admins from their
 * sessions. The admin function would be too large with the list of common passwords.
 */
export default endpoint({ requestsAMinute: 600 }, ...statusRoutes, ...accountRoutes, ...peopleRoutes);
