import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import process from 'node:process';

/**
 * Runs `bench/NAME.ts` for `npm run bench NAME [options]`. Without a name, runs all benchmarks one after another, each
 * in its own process, which takes about an hour.
 */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'run');
const name = process.argv[2];
if (name === undefined) {
  const failed = names.filter((each) => {
    console.log(`\n${each}`);
    return spawnSync(process.execPath, [import.meta.filename, each], { stdio: 'inherit' }).status !== 0;
  });
  if (failed.length > 0) {
    console.error(`These benchmarks failed or missed a goal: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
} else if (names.includes(name)) {
  await import(`./${name}.ts`);
} else {
  console.error(`Name a benchmark: npm run bench ${names.join(' | ')}`);
  process.exitCode = 1;
}
