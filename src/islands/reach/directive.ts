import type { ClientDirective } from 'astro';
import './first-touch.ts';

/** An island that waits: what loads and hydrates it is kept on its element until the visitor reaches for it. */
export interface WaitingIsland extends HTMLElement {
  load?: Parameters<ClientDirective>[0];
}

/**
 * `client:reach`: hydrates an island when the visitor reaches for it; with the value `seen`, when it comes into view, too
 * (src/layouts/later/islands.ts). Until then React is not downloaded, so every island works without it.
 */
export default ((load, _options, island: WaitingIsland) => {
  island.load = load;
}) satisfies ClientDirective;
