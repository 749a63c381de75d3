// Runs `npm run admin`, `npm run seed`, `npm run backup` and `npm run restore` with the project's Node. The first
// argument names the command's file in `host/`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { projectNode, root } from './toolchain.mjs';

const [file = '', ...rest] = process.argv.slice(2);
const command = spawn(await projectNode(), [join(root, 'host', file), ...rest], { stdio: 'inherit' });
command.on('exit', (code) => process.exit(code ?? 1));
