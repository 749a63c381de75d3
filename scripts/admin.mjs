// `npm run admin -- list | create <email> | reset <email> | remove <email>`: admins from the command line (host/admin.ts).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { projectNode, root } from './toolchain.mjs';

const command = spawn(await projectNode(), [join(root, 'host/admin.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
command.on('exit', (code) => process.exit(code ?? 1));
