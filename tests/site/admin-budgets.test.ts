import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { brotliSize, files, read, scriptGraph } from './built-site.ts';

const $ = load(read(files.includes('/admin.html') ? '/admin.html' : '/admin/index.html').toString());
const first = scriptGraph([$('script[type=module][src]').attr('src')!]);
const screen = (name: string) => files.find((file) => new RegExp(`/${name}\\.[\\w-]+\\.js$`).test(file))!;
const size = (scripts: Iterable<string>) => [...scripts].reduce((sum, file) => sum + brotliSize(read(file)), 0);

describe('The admin area', () => {
  test('loads its first screen in 115 KB and 14 files, including the document and styles', () => {
    expect(brotliSize($.html()) + size(first)).toBeLessThanOrEqual(115_000);
    expect(1 + first.size).toBeLessThanOrEqual(14);
  });

  test('loads the editor when the first post is opened, and not before', () => {
    const editor = screen('RichTextEditor');
    expect(read(editor).toString()).toContain('ProseMirror');
    expect([...first].filter((file) => read(file).toString().includes('ProseMirror'))).toEqual([]);
    const added = [...scriptGraph([editor])].filter((file) => !first.has(file));
    expect(size(added)).toBeLessThanOrEqual(150_000);
  });
});
