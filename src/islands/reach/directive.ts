import type { ClientDirective } from 'astro';
import './first-touch.ts';

/** An island that waits for hydration. `load` starts the hydration and is stored on the island's element. */
export interface WaitingIsland extends HTMLElement {
  load?: Parameters<ClientDirective>[0];
}

/**
 * `client:reach` hydrates an island when the visitor interacts with it. With the value `seen`, it also hydrates the
 * island when it comes into view (src/layouts/later/islands.ts). React is not downloaded before hydration, so every
 * island must work without React.
 */
export default ((load, _options, island: WaitingIsland) => {
  island.load = load;
}) satisfies ClientDirective;
