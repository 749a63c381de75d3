// Runs a program from the development packages, or a TypeScript file that needs them, for `npm run format` and similar
// commands. Stops with a message if these packages are missing, because `npm start` installs only
// the packages that building and serving need.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { exists, projectNode, root } from './toolchain.mjs';

const [program = '', ...rest] = process.argv.slice(2);
if (!(await exists(join(root, 'node_modules/typescript')))) {
  console.error('This command needs the development packages. Install them first: npm install');
  process.exit(1);
}
const file = program.endsWith('.ts') ? program : `node_modules/.bin/${program}`;
const tool = spawn(await projectNode(), [join(root, file), ...rest], { stdio: 'inherit' });
tool.on('exit', (code) => process.exit(code ?? 1));
