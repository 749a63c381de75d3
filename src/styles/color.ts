import tokens from './tokens.css?raw';

/**
 * The value of a color token, for what cannot read style sheets: pictures, the manifest, the browser's own frame.
 * @param name as in `--color-name`.
 * @throws where tokens.css has no such color in two schemes.
 */
export function color(name: string, scheme: 'light' | 'dark' = 'light'): string {
  const [light, dark] = [...tokens.matchAll(new RegExp(`--color-${name}: (#\\w{6})`, 'g'))].map(([, value]) => value);
  if (!light || !dark) throw new Error(`src/styles/tokens.css has no color ${name} in two schemes.`);
  return scheme === 'light' ? light : dark;
}
