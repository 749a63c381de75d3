import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceContent, serviceContent } from '../domain/service.ts';

/** An error in a service's files, or a link to a service that does not exist. */
interface ServiceFault {
  /** Path from the root of the project. */
  readonly file: string;
  /** The field in the file, such as `benefits.2.title`. */
  readonly field?: string;
  /** What to add or change. */
  readonly text: string;
}

const folder = 'content/services';
/**
 * Maximum number of tabs in the services explorer of the home page. service-tabs.css can highlight only this many tabs
 * before the explorer's script runs.
 */
const mostAtHome = 5;

/**
 * Checks the services before a build starts.
 * @throws if a file or a field is missing or wrong. The message lists every such file and field with what to do.
 */
export function checkServices(root = process.cwd()): void {
  const faults = serviceFaults(root);
  if (faults.length === 0) return;
  const lines = faults.map(({ file, field, text }) => `  - ${file}${field ? `, ${field}` : ''}: ${text}`);
  throw new Error(`The services are incomplete:\n${lines.join('\n')}`);
}

/** Returns the errors in the services of the project at `root`. */
export function serviceFaults(root: string): ServiceFault[] {
  const { services, faults, ids } = readServices(root);
  return [
    ...faults,
    ...ids.flatMap((id) => drawingFaults(root, id)),
    ...strayDrawingFaults(root, ids),
    ...[...services].flatMap(([id, service]) => relationFaults(root, id, service, services)),
    ...linkFaults(root, ids),
  ];
}

/** Reads the services of the project at `root`. Returns the valid services by id, and the errors in the other files. */
function readServices(root: string): {
  readonly ids: readonly string[];
  readonly services: ReadonlyMap<string, ServiceContent>;
  readonly faults: readonly ServiceFault[];
} {
  const names = readdirSync(join(root, folder)).toSorted();
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));
  const services = new Map<string, ServiceContent>();
  const faults: ServiceFault[] = [];
  for (const id of ids) {
    const service = readService(root, id);
    if (Array.isArray(service)) faults.push(...service);
    else services.set(id, service);
  }
  return { ids, services, faults };
}

const fileOf = (id: string): string => `${folder}/${id}.json`;

function readService(root: string, id: string): ServiceContent | ServiceFault[] {
  const file = fileOf(id);
  let source: unknown;
  try {
    source = JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    return [{ file, text: `This is not valid JSON: ${(error as Error).message}` }];
  }
  const { data, error } = serviceContent.safeParse(source);
  if (data) return data;
  return error.issues.map(({ path, message }) => ({ file, field: path.join('.'), text: message }));
}

function drawingFaults(root: string, id: string): ServiceFault[] {
  const file = `${folder}/${id}.svg`;
  if (!existsSync(join(root, file))) {
    return [{ file, text: `Add this drawing of the service, with viewBox="0 0 400 120".` }];
  }
  const scene = file.replace('.svg', '.scene.svg');
  const scenes = existsSync(join(root, scene)) ? [scene] : [];
  return [file, ...scenes].flatMap((drawing) => {
    const svg = readFileSync(join(root, drawing), 'utf8');
    const box = drawing === scene ? '0 0 720 290' : '0 0 400 120';
    if (!svg.includes(`viewBox="${box}"`)) return [{ file: drawing, text: `Give the <svg> viewBox="${box}".` }];
    const other = [...svg.matchAll(/<([a-z]\w*)/gi)].find(([, tag]) => !/^(svg|path|circle)$/.test(tag!));
    return other ? [{ file: drawing, text: `Draw with <path> and <circle> only; there is a <${other[1]}>.` }] : [];
  });
}

/** Returns an error for each drawing without a service. */
function strayDrawingFaults(root: string, ids: readonly string[]): ServiceFault[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const [, id] = /^([^.]+)(?:\.scene)?\.svg$/.exec(name) ?? [];
    if (id === undefined || ids.includes(id)) return [];
    return [{ file: `${folder}/${name}`, text: `Remove this drawing, or add ${fileOf(id)}.` }];
  });
}

function relationFaults(
  root: string,
  id: string,
  { order, home, partOf, landing, guide }: ServiceContent,
  services: ReadonlyMap<string, ServiceContent>,
): ServiceFault[] {
  const file = fileOf(id);
  const faults: ServiceFault[] = [];
  const before = [...services].filter(([other, at]) => at.order < order || (at.order === order && other < id));
  const same = before.find(([, other]) => other.order === order);
  if (same) faults.push({ file, field: 'order', text: `Choose another number: ${fileOf(same[0])} has ${order} too.` });
  if (home && partOf)
    faults.push({ file, field: 'home', text: 'Remove it: the service has a card on the tab of another.' });
  if (home && before.filter(([, other]) => other.home).length >= mostAtHome) {
    faults.push({
      file,
      field: 'home',
      text: `Write false here or in another file: the home page has ${mostAtHome} tabs.`,
    });
  }
  const whole = partOf && services.get(partOf.service);
  if (partOf && (!whole || whole.partOf)) {
    const choices = [...services].filter(([other, { partOf: of }]) => other !== id && !of).map(([other]) => other);
    faults.push({
      file,
      field: 'partOf.service',
      text: `“${partOf.service}” is no service with a tab. Choose one of: ${choices.join(', ')}.`,
    });
  }
  for (const [field, link] of Object.entries({ landing, guide })) {
    if (link && !isPage(root, link.href)) {
      faults.push({
        file,
        field: `${field}.href`,
        text: `There is no page ${link.href}. Correct the path, or remove it.`,
      });
    }
  }
  return faults;
}

/** Returns the content file of a page by its name, for each route that has one page per content file. */
const pagesOf: Readonly<Record<string, (name: string) => string>> = {
  services: fileOf,
  resources: (name) => `content/articles/${name}.mdx`,
};

function isPage(root: string, href: string): boolean {
  const [path = ''] = href.split(/[?#]/);
  const [, collection = '', name = ''] = /^\/(\w+)\/([^/]+)$/.exec(path) ?? [];
  const file = pagesOf[collection]?.(name);
  const files = file ? [file] : [`src/pages${path}.astro`, `src/pages${path}/index.astro`];
  return files.some((one) => existsSync(join(root, one)));
}

/** Returns an error for each link to a service that does not exist. */
function linkFaults(root: string, ids: readonly string[]): ServiceFault[] {
  const known = new Set(ids);
  return ['content', 'src'].flatMap((source) => {
    const names = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => /\.(json|mdx|astro|tsx?)$/.test(name) && !name.includes('.test.'));
    return files.toSorted().flatMap((name) => {
      const links = readFileSync(join(root, source, name), 'utf8').matchAll(
        /["'`(]\/services\/([a-z\d-]+)(?=["'`)#?])/g,
      );
      const missing = new Set([...links].map(([, id]) => id!).filter((id) => !known.has(id)));
      return [...missing].map((id) => ({
        file: `${source}/${name}`,
        text: `It links to /services/${id}. Change the link, or add ${fileOf(id)}.`,
      }));
    });
  });
}
