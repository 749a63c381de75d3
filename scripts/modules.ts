import { readFileSync, readdirSync } from 'node:fs';

interface Module {
  /** The path of a folder or a file. */
  readonly path: string;
  /** The other modules that this module may import. */
  readonly mayImport: readonly string[];
}

/** The rows of the table in the section "Modules" of docs/architecture.md. ESLint enforces this table. */
export const modules = readTable(readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8'));

function readTable(text: string): Module[] {
  const section = text.split(/^## /m).find((part) => part.startsWith('Modules\n')) ?? '';
  const rows = [...section.matchAll(/^\| (`[^|]+) \|[^|]*\| ([^|]+) \|$/gm)];
  const named = rows.flatMap(([, paths = '']) => codeIn(paths));
  const modulesOf = (cell: string) => codeIn(cell).flatMap((path) => foldersOf(path, named));
  const found: Module[] = [];
  for (const [, paths = '', imports = ''] of rows) {
    const above = found.map(({ path }) => path);
    const mayImport = imports.trim() === 'every row above' ? above : modulesOf(imports);
    found.push(...modulesOf(paths).map((path) => ({ path, mayImport })));
  }
  return found;
}

/**
 * Returns the folders that a path such as `src/admin/*` matches, except folders with a separate row in the table.
 * Returns a path without an asterisk unchanged.
 */
function foldersOf(path: string, named: readonly string[]): string[] {
  if (!path.endsWith('/*')) return [path];
  const parent = path.slice(0, -2);
  return readdirSync(new URL(`../${parent}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`)
    .filter((folder) => !named.includes(folder));
}

/** Returns the text in backticks of a table cell. */
function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
