// Runs `npm run build` and `npm run build:ahead`: installs missing packages, then runs the program in the first
// argument.
import { join } from 'node:path';
import process from 'node:process';
import { installPackages, projectNode, root, run } from './toolchain.mjs';

const [file = '', ...rest] = process.argv.slice(2);
await installPackages();
await run(await projectNode(), [join(root, file), ...rest]);
