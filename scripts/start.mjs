// `npm start`: installs what is missing, then hands over to the host (host/main.ts), which builds, prepares and serves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { hostEnvironment, hostOptions } from './host-environment.mjs';
import { installPackages, projectNode, root } from './toolchain.mjs';

await installPackages();
const node = await projectNode();
const host = spawn(node, [...hostOptions, join(root, 'host/main.ts')], {
  cwd: root,
  stdio: 'inherit',
  env: hostEnvironment(process.env),
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => host.kill(signal));
host.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
host.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
