import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Measures the size of each bundled function, and the time in which a new process imports it. Budget: 150 ms. */
const folder = '.netlify/bundled-functions';
const runs = 7;
const code = 'const start = performance.now(); await import(process.argv[1]); console.log(performance.now() - start)';

execFileSync(process.execPath, ['netlify/bundle.ts'], { stdio: 'inherit' });
const rows = readdirSync(folder).map((file) => {
  const path = resolve(folder, file);
  const times = Array.from({ length: runs }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', code, pathToFileURL(path).href], {
        encoding: 'utf8',
      }),
    ),
  ).sort((a, b) => a - b);
  return {
    function: file,
    'KB, not zipped': Math.round(statSync(path).size / 1024),
    'median, ms': Math.round(times[Math.floor(runs / 2)] ?? 0),
    'fastest, ms': Math.round(times[0] ?? 0),
  };
});
console.table(rows);
