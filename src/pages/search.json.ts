import type { APIRoute } from 'astro';
import { searchEntries } from '../data/search.ts';

/** What the search page looks through, in the browser (src/lib/search/). */
export const GET: APIRoute = async () => Response.json(await searchEntries());
