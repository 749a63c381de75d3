// `npm start`: installs what is missing, then hands over to the host (host/main.ts), which builds, prepares and serves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { installPackages, projectNode, root } from './toolchain.mjs';

await installPackages();
const node = await projectNode();
const host = spawn(node, [join(root, 'host/main.ts')], {
  cwd: root,
  stdio: 'inherit',
  // Code that was parsed at one start is not parsed again at the next.
  env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache/node') },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => host.kill(signal));
host.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
host.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
