import tokens from './tokens.css?raw';

/**
 * The value of a color token, for what cannot read style sheets: pictures, the manifest, the browser's own frame.
 * @param name as in `--color-name`.
 * @throws where tokens.css has no such color in two schemes.
 */
export function color(name: string, scheme: 'light' | 'dark' = 'light'): string {
  const [, light, dark] = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  if (!light || !dark) throw new Error(`src/styles/tokens.css has no color ${name} in two schemes.`);
  return scheme === 'light' ? light : dark;
}
