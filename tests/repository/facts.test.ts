import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Links to other sites in Markdown, and in the HTML of a service's text. */
const linkPattern = /\]\((https?:[^)\s]+)\)|href=\\"(https?:[^"\\]+)\\"/g;

const sourcesIn = (text: string) => [...text.matchAll(linkPattern)].map(([, markdown, html]) => markdown ?? html ?? '');

interface Row {
  readonly file: string;
  readonly section: string;
  readonly sources: readonly string[];
}

/** Returns the rows of docs/facts.md. The file's path is in the paragraph above each table. */
function rowsOf(document: string): Row[] {
  return document.split(/^## /m).flatMap((part) => {
    const file = /^`(content\/[^`]+)`$/m.exec(part)?.[1];
    if (file === undefined) return [];
    const cells = part
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '').trim()));
    return cells.map(([, section = '', source = '']) => ({ file, section, sources: sourcesIn(source) }));
  });
}

/** Returns the faults of a row, such as a section or a source that the file does not contain. */
function faultsOf({ file, section, sources }: Row): string[] {
  if (!existsSync(file)) return [`${file} does not exist`];
  const text = readFileSync(file, 'utf8');
  const sections = file.endsWith('.json')
    ? [...text.matchAll(/^ {2}("\w+"):/gm)].map(([, key = '']) => `\`${key.slice(1, -1)}\``)
    : [introduction, ...[...text.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) => heading)];
  return [
    ...(sections.includes(section) ? [] : [`${file} has no section '${section}'`]),
    ...(sources.length > 0 ? [] : [`a fact under '${section}' of ${file} has no source`]),
    ...sources.filter((source) => !sourcesIn(text).includes(source)).map((source) => `${file} does not cite ${source}`),
  ];
}

/** The section name for facts above the first heading of a file. */
const introduction = 'Introduction';

const rows = rowsOf(readFileSync('docs/facts.md', 'utf8'));
const texts = globSync(['content/articles/*.mdx', 'content/legal/*.mdx', 'content/services/*.json']);

describe('An editor can check each fact that the site took from another source', () => {
  test('every source that a text cites is in the list of facts, under the name of its file', () => {
    const listed = new Set(rows.flatMap(({ file, sources }) => sources.map((source) => `${file} cites ${source}`)));
    const cited = texts.flatMap((file) =>
      sourcesIn(readFileSync(file, 'utf8')).map((source) => `${file} cites ${source}`),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter((one) => !listed.has(one))).toEqual([]);
  });

  test('every row of the list names a section and a source of its file', () => {
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  test.for([
    [{ file: 'content/articles/none.mdx' }, 'content/articles/none.mdx does not exist'],
    [{ section: 'No such heading' }, "content/legal/privacy.mdx has no section 'No such heading'"],
    [{ sources: ['https://example.com/'] }, 'content/legal/privacy.mdx does not cite https://example.com/'],
    [{ sources: [] }, "a fact under 'Your rights' of content/legal/privacy.mdx has no source"],
  ] as const)('a row with %j is refused', ([change, fault]) => {
    const row = rows.find(({ file, section }) => file === 'content/legal/privacy.mdx' && section === 'Your rights')!;
    expect(faultsOf({ ...row, ...change })).toEqual([fault]);
  });
});
