import type { APIRoute } from 'astro';
import { searchEntries } from '../data/feeds/search.ts';

/** Serves the search index, which the browser loads (src/lib/search.ts). */
export const GET: APIRoute = async () => Response.json(await searchEntries());
