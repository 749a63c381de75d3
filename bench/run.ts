import { readdirSync } from 'node:fs';

/** Runs `bench/NAME.ts` for `npm run bench NAME [options]`. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'run');
const name = process.argv[2] ?? '';
if (!names.includes(name)) {
  console.error(`Name a benchmark: npm run bench ${names.join(' | ')}`);
  process.exit(1);
}
await import(`./${name}.ts`);
