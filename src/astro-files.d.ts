/** What plain TypeScript knows of a component; Astro's own check knows more. */
declare module '*.astro' {
  const component: import('astro/runtime/server/index.js').AstroComponentFactory;
  export default component;
}
