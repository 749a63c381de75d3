import { basename } from 'node:path';

/** The properties of a module that this file uses, as Rolldown passes them. */
interface Module {
  readonly isEntry: boolean;
  readonly importers: readonly string[];
  readonly dynamicImporters: readonly string[];
}

interface ModuleGraph {
  getModuleInfo(id: string): Module | null;
}

const react = /\/node_modules\/(react|react-dom|scheduler)\//;
const dashboard = '/src/pages/admin/index.astro';
const ofAdmin = /\/src\/(admin|pages\/admin)\//;

/**
 * Names the file that contains a module of the browser code, so the dashboard starts with a few larger files. By
 * default, Rolldown makes one file for each set of entries and lazily loaded modules that share code. The dashboard's
 * tabs share so much that it would start with 20 files, each with its own response headers and compressed on its own.
 *
 * A module that the dashboard imports statically shares its file with all modules that the same other pages need. Which
 * tabs need a module makes no difference, because the dashboard loads all tabs anyway. No page loads code that it does
 * not need.
 *
 * @returns null for a module that Rolldown's default applies to.
 */
export function fileOfModule(id: string, graph: ModuleGraph): string | null {
  if (react.test(id)) return 'react';
  const parts = partsWith(id, graph);
  const others = parts.filter((part) => !part.includes(dashboard));
  if (others.length === parts.length) return null;
  return ['admin', ...others.map((part) => basename(part).split('.', 1)[0]).sort()].join('-');
}

/** Returns the entries, and the modules that public pages load later, that import a module directly or indirectly. */
function partsWith(id: string, graph: ModuleGraph): string[] {
  const found = new Set([id]);
  // A Set also iterates over the values that are added during the iteration.
  for (const each of found) graph.getModuleInfo(each)?.importers.forEach((importer) => found.add(importer));
  return [...found].filter((each) => {
    const module = graph.getModuleInfo(each);
    return module?.isEntry || module?.dynamicImporters.some((importer) => !ofAdmin.test(importer));
  });
}
