import { activityRoute } from '../server/activity/routes.ts';
import { endpoint } from '../server/http/endpoint.ts';
import { logoRoutes } from '../server/logo/routes.ts';
import { mediaRoutes } from '../server/media/routes.ts';
import { postRoutes } from '../server/posts/routes.ts';
import { sectionRoutes } from '../server/sections/routes.ts';
import { statusRoutes } from '../server/status/routes.ts';
import { personRoutes, submissionRoutes } from '../server/submissions/routes.ts';
import { unsavedRoutes } from '../server/unsaved/routes.ts';

/** The admin area and what pages read from the same stores. On Netlify, one warm function serves all its screens. */
export default endpoint(
  { requestsAMinute: 600 },
  ...statusRoutes,
  activityRoute,
  ...submissionRoutes('inquiry'),
  ...submissionRoutes('application'),
  ...personRoutes,
  ...postRoutes,
  ...mediaRoutes,
  ...sectionRoutes,
  ...logoRoutes,
  ...unsavedRoutes,
);
