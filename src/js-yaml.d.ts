/** Declares the only function that this repository uses, because the package has no types. */
declare module 'js-yaml' {
  export function load(text: string): unknown;
}
