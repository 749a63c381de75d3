import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMap, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

/** An MDX file of `content/`: its frontmatter, its body, and functions that find lines in the file. */
export interface Source {
  /** Path relative to the root of the project. */
  readonly file: string;
  /** The file's name without its extension. */
  readonly name: string;
  readonly frontmatter: unknown;
  readonly body: string;
  /**
   * Returns the line of a field such as `['callToAction', 'actions', 0]`, or of the nearest parent field that exists.
   */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
  /** Returns the line of the file that contains the character at this index of the body. */
  readonly lineIn: (index: number) => number;
}

/** @throws if the file does not begin with frontmatter in YAML. */
export function readSource(root: string, file: string): Source {
  const text = readFileSync(join(root, file), 'utf8');
  const [head, yaml] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (head === undefined || yaml === undefined)
    throw new Error(`${file}:1 must begin with frontmatter between two lines of ---.`);
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault) throw new Error(`${file}:${(fault.linePos?.[0].line ?? 0) + 1} ${fault.message}`);
  return {
    file,
    name: basename(file).replace(/\.mdx$/, ''),
    frontmatter: document.toJS(),
    body: text.slice(head.length),
    lineOf: (path) => 1 + lineOfNode(document.contents, path, lines),
    lineIn: (index) => text.slice(0, head.length + index).split('\n').length,
  };
}

/** Reads every MDX file in a folder of `content/`. */
export function readSources(root: string, folder: string): Source[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.mdx'));
  return names.toSorted().map((name) => readSource(root, join(folder, name)));
}

function lineOfNode(node: unknown, path: readonly PropertyKey[], lines: LineCounter): number {
  let line = 0;
  let here = node;
  for (const step of path) {
    if (isMap<Node>(here)) {
      const pair = here.items.find(({ key }) => String(key) === String(step));
      if (!pair) break;
      line = lines.linePos(pair.key.range?.[0] ?? 0).line;
      here = pair.value;
    } else if (isSeq<Node>(here)) {
      const item = here.items[Number(step)];
      if (!item) break;
      line = lines.linePos(item.range?.[0] ?? 0).line;
      here = item;
    } else break;
  }
  return line;
}
