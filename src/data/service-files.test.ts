import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkServices, serviceFaults } from './service-files.ts';

/** A copy of the project's content and pages, with a service added. */
let root: string;
const file = 'content/services/payroll.json';
const drawing = 'content/services/payroll.svg';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'services-'));
  for (const folder of ['content', 'src']) await cp(folder, join(root, folder), { recursive: true });
  const support = JSON.parse(await readFile('content/services/support.json', 'utf8')) as Service;
  await add({ ...support, order: 1_000, home: false, title: 'Payroll', description: 'Payroll in NetSuite.' });
  await cp('content/services/support.svg', join(root, drawing));
});
afterEach(() => rm(root, { recursive: true }));

type Service = Record<string, unknown>;
const add = (service: Service) => writeFile(join(root, file), JSON.stringify(service));
async function change(changes: Service) {
  await add({ ...(JSON.parse(await readFile(join(root, file), 'utf8')) as Service), ...changes });
}

test('A service needs only one file and a drawing', () => {
  expect(serviceFaults(root)).toEqual([]);
  expect(() => checkServices(root)).not.toThrow();
});

test('Each missing text of a service is named by its file and field, with what to add', async () => {
  const complete = JSON.parse(await readFile(join(root, file), 'utf8')) as Service;
  const optional = ['home', 'urgent', 'shortTitle', 'inquiry', 'partOf', 'landing', 'platforms'];
  for (const field of Object.keys(complete).filter((name) => !optional.includes(name))) {
    const { [field]: _, ...rest } = complete;
    await add(rest);
    const faults = serviceFaults(root);
    expect(faults, field).toHaveLength(1);
    expect(faults[0], field).toMatchObject({ file, field });
    expect(faults[0]!.text, field).toMatch(/^(Add|Choose one of:) [^.]+\.$/);
  }
});

test('The build stops and names everything that is missing in one message', async () => {
  await change({ holds: '', phase: 'later', benefits: ['One', { title: 'Two' }], notfor: 'x' });
  await rm(join(root, drawing));
  expect(() => checkServices(root)).toThrow(
    `The services are incomplete:
  - ${file}, phase: Choose one of: plan, build, run.
  - ${file}, benefits.1: Add a benefit: a sentence, or a title and a description.
  - ${file}, holds: Add what the client has at the end.
  - ${file}: Remove notfor, or correct the spelling. No page reads it.
  - ${drawing}: Add this drawing of the service, with viewBox="0 0 400 120".`,
  );
});

test('A file that is not valid JSON is named', async () => {
  await writeFile(join(root, file), '{ "order": 7, }');
  expect(serviceFaults(root)).toEqual([{ file, text: expect.stringMatching(/^This is not valid JSON: /) }]);
});

test('A drawing with another size, or with elements other than shapes, is refused', async () => {
  await writeFile(join(root, drawing), '<svg viewBox="0 0 24 24"><path d="M0 0h1"/></svg>');
  expect(serviceFaults(root)).toEqual([{ file: drawing, text: 'Give the <svg> viewBox="0 0 400 120".' }]);
  await writeFile(join(root, drawing), '<svg viewBox="0 0 400 120"><script>alert(1)</script></svg>');
  expect(serviceFaults(root)).toEqual([
    { file: drawing, text: 'Draw with <path> and <circle> only; there is a <script>.' },
  ]);
});

test.each([
  [{ order: 5 }, 'order', /^Choose another number: content\/services\/\w+.json has 5 too.$/],
  [{ home: true }, 'home', 'Write false here or in another file: the home page has 5 tabs.'],
  [
    { partOf: { service: 'payrol', title: 'Payroll', text: 'Payroll.' } },
    'partOf.service',
    /^“payrol” is no service with a tab. Choose one of: development, digital-roadmap, /,
  ],
  [
    { guide: { href: '/resources/payroll-guide', label: 'Read' } },
    'guide.href',
    'There is no page /resources/payroll-guide. Correct the path, or remove it.',
  ],
  [
    { landing: { href: '/payroll', label: 'Read', name: 'Payroll', note: 'More.' } },
    'landing.href',
    'There is no page /payroll. Correct the path, or remove it.',
  ],
])('%j is refused with a correction', async (changes, field, text) => {
  await change(changes);
  const [fault, ...others] = serviceFaults(root);
  expect(others).toEqual([]);
  expect(fault).toMatchObject({ field });
  expect(fault!.text).toMatch(text);
});

test('A service can be removed if nothing refers to it', async () => {
  await rm(join(root, file));
  await rm(join(root, drawing));
  expect(serviceFaults(root)).toEqual([]);
});

test('Before a service is removed, everything that refers to it is named: links, services that belong to it, its drawings', async () => {
  await rm(join(root, 'content/services/development.json'));
  const faults = serviceFaults(root).map((fault) => `${fault.file} ${fault.text}`);
  expect(faults).toEqual(
    expect.arrayContaining([
      'content/services/development.svg Remove this drawing, or add content/services/development.json.',
      'content/services/development.scene.svg Remove this drawing, or add content/services/development.json.',
      expect.stringMatching(/^content\/services\/ecommerce-integrations.json “development” is no service with a tab\./),
      'content/articles/suitescript-guide.mdx It links to /services/development. Change the link, or add content/services/development.json.',
    ]),
  );
});
