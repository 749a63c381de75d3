// `npm run build:ahead`: builds a new version while the former one serves, so that the restart takes a second.
import { join } from 'node:path';
import { installPackages, projectNode, root, run } from './toolchain.mjs';

await installPackages();
await run(await projectNode(), [join(root, 'host/build.ts'), '--ahead']);
