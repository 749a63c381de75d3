import { StaticPaths } from 'astro:static-paths';
import { createApp } from 'astro/app/entrypoint';
import type { RouteData } from 'astro';

/** A path of the site. */
export interface Path {
  readonly pathname: string;
  readonly route: RouteData;
  /** The values that determine the page, if it can be cached. */
  readonly cacheKey?: string | undefined;
}

/**
 * The entry that Astro bundles instead of its own renderer. host/rendering/render.ts calls this entry to render pages.
 */
export interface Renderer {
  staticPaths(): Promise<Path[]>;
  render(request: Request, route: RouteData): Promise<Response>;
}

const app = createApp({ streaming: false });

export const renderer: Renderer = {
  staticPaths: () => new StaticPaths(app).getAll(),
  render: (request, routeData) => app.render(request, { routeData }),
};
