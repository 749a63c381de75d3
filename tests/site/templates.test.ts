import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pages, page, read } from './built-site.ts';

const names = readdirSync('content/templates').map((file) => file.replace(/\.json$/, ''));
const written = (name: string) =>
  JSON.parse(readFileSync(`content/templates/${name}.json`, 'utf8')) as {
    columns: string[];
    rows: string[][];
    article: string;
  };

/** Returns the cells of a CSV file, as a spreadsheet reads them. */
function cellsOf(csv: string): string[][] {
  const lines = csv.replace(/^\uFEFF/, '').match(/(?:"(?:[^"]|"")*"|[^\r])*\r\n/g) ?? [];
  return lines.map((line) =>
    [...line.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
    ),
  );
}

test('there are templates for readiness, cutover, integration inventory and the ROI model', () => {
  expect(names).toEqual(
    expect.arrayContaining(['cutover-plan', 'go-live-readiness', 'integration-inventory', 'roi-model']),
  );
});

describe.each(names)('/templates/%s', (name) => {
  const { $ } = page(`/templates/${name}`);
  const { columns, rows, article } = written(name);

  test('is a spreadsheet with the same cells', () => {
    expect(cellsOf(read(`/templates/${name}.csv`).toString())).toEqual([columns, ...rows]);
  });

  test('prints every line, and links to its download and its article', () => {
    expect($('tbody tr').length).toBe(rows.length + new Set(rows.map(([group]) => group)).size);
    expect($('a[download]').attr('href')).toBe(`/templates/${name}.csv`);
    expect($(`main a[href="/resources/${article}"]`)).toHaveLength(1);
  });
});

/** Returns the value that a spreadsheet shows in a cell, such as `F21`. */
function valueOf(sheet: string[][], name: string): number {
  const at = (cell: string) => sheet[Number(cell.slice(1)) - 1]?.[cell.charCodeAt(0) - 65] ?? '';
  const formula = at(name);
  if (!formula.startsWith('=')) return Number(formula);
  const sum = (from: string, to: string): string => {
    const cells: string[] = [];
    for (let column = from.charCodeAt(0); column <= to.charCodeAt(0); column += 1) {
      for (let row = Number(from.slice(1)); row <= Number(to.slice(1)); row += 1) {
        cells.push(`${String.fromCharCode(column)}${row}`);
      }
    }
    return `(${cells.join('+')})`;
  };
  const expression = formula
    .slice(1)
    .replaceAll('^', '**')
    .replace(/SUM\(([A-Z]\d+):([A-Z]\d+)\)/g, (_, from: string, to: string) => sum(from, to))
    .replace(/[A-Z]\d+/g, (cell) => `(${valueOf(sheet, cell)})`);
  return runInNewContext(expression) as number;
}

describe('The ROI model', () => {
  const sheet = cellsOf(read('/templates/roi-model.csv').toString());
  const lineOf = (label: string) => sheet.findIndex(([, line]) => line === label) + 1;
  const result = (label: string, column = 'F') => valueOf(sheet, `${column}${lineOf(label)}`);

  test('calculates the example in the ROI guide', () => {
    expect(['C', 'D', 'E', 'F'].map((column) => result('Total cost', column))).toEqual([
      200_000, 60_000, 60_000, 320_000,
    ]);
    expect(result('Total hard benefits')).toBe(360_000);
    expect(result('Cumulative', 'D')).toBe(-70_000);
    expect(result('ROI')).toBe(0.125);
    expect(Math.round(result('NPV, if all money moves at year end'))).toBe(11_570);
    expect(Math.round(result('NPV, year-one cost paid at the start'))).toBe(-6_612);
    expect(result('ROI with 20% contingency on year 1')).toBeCloseTo(0, 10);
    expect(result('ROI with 30% contingency on year 1')).toBeCloseTo(-0.0526, 4);
    expect(result('ROI with benefits 10% lower')).toBeCloseTo(0.0125, 10);
    expect(result('ROI without year-one benefits')).toBeCloseTo(0, 10);
  });

  test('never adds soft benefits to the result', () => {
    const formulas = sheet.flat().filter((cell) => cell.startsWith('=') && !cell.startsWith('=SUM('));
    expect(formulas.filter((formula) => formula.includes(String(lineOf('Hours saved, not yet cash'))))).toEqual([]);
  });
});

test('every template is linked from its article, as a page and as a spreadsheet', () => {
  for (const name of names) {
    const { $ } = page(`/resources/${written(name).article}`);
    for (const href of [`/templates/${name}`, `/templates/${name}.csv`]) {
      expect($(`main a[href="${href}"]`).length, `${written(name).article} to ${href}`).toBeGreaterThan(0);
    }
  }
  expect(pages.filter(({ path }) => path.startsWith('/templates/'))).toHaveLength(names.length);
});
