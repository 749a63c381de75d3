import { readdir } from 'node:fs/promises';
import type { ApiFunctions } from './server/http/api-document.ts';
import type { Handler } from './server/http/endpoint.ts';

const folder = new URL('./functions/', import.meta.url);

/** Every function of the API, loaded from its source: all but those that answer no route of their own. */
export async function apiFunctions(): Promise<ApiFunctions> {
  const functions: Record<string, Handler> = {};
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()) {
    const module = (await import(new URL(file, folder).href)) as { default: Handler | { routes?: undefined } };
    if (module.default.routes) functions[file.slice(0, -'.ts'.length)] = module.default;
  }
  return functions;
}
