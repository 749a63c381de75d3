import { readdirSync } from 'node:fs';

/** `npm run bench NAME [options]` runs `bench/NAME.ts`. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'run');
const name = process.argv[2] ?? '';
if (!names.includes(name)) {
  console.error(`Which bench? npm run bench ${names.join(' | ')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
