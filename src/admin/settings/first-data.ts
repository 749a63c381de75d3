import type { QueryClient } from '@tanstack/react-query';
import { beginLogo } from './logo-queries.ts';
import { beginPanels } from './queries.ts';

/** Fetches the data of all panels before the screen renders. */
export const beginSettings = (client: QueryClient) => Promise.all([beginLogo(client), beginPanels(client)]);
