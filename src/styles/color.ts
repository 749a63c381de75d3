import tokens from './tokens.css?raw';

/**
 * Returns the value of a color token, for code that cannot use CSS variables: images and the theme color.
 * @param name as in `--color-name`.
 * @throws {Error} if tokens.css does not define the color for both schemes.
 */
export function color(name: string, scheme: 'light' | 'dark' = 'light'): string {
  const [, light, dark] = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  if (!light || !dark) throw new Error(`src/styles/tokens.css has no color ${name} in two schemes.`);
  return scheme === 'light' ? light : dark;
}
