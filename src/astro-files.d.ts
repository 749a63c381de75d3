/** Declares the type of imported `.astro` files for plain TypeScript. Only `astro check` knows a component's props. */
declare module '*.astro' {
  import type { AstroComponentFactory } from 'astro/runtime/server/index.js';

  const component: AstroComponentFactory;
  export default component;
}
