import { readdir } from 'node:fs/promises';
import type { ApiFunctions } from './server/http/api-document.ts';
import type { Handler } from './server/http/endpoint.ts';

const folder = new URL('./functions/', import.meta.url);

/** Loads all functions of the API from their sources. The keys are the file names without `.ts`. */
export async function apiFunctions(): Promise<ApiFunctions> {
  const functions: Record<string, Handler> = {};
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()) {
    const module = (await import(new URL(file, folder).href)) as { default: Handler | { config?: undefined } };
    if (module.default.config) functions[file.slice(0, -'.ts'.length)] = module.default;
  }
  return functions;
}
