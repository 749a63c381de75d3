// Runs `npm start`: installs missing packages, then starts the host. In the project, host/main.ts builds and serves the
// site. In a release (scripts/release.ts), host/serve.ts serves the site.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { hostEnvironment, hostOptions } from './host-environment.mjs';
import { installPackages, projectNode, root } from './toolchain.mjs';

const [file = 'main.ts'] = process.argv.slice(2);
await installPackages();
const node = await projectNode();
const host = spawn(node, [...hostOptions, join(root, 'host', file)], {
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
