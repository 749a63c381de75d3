import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkSiteDetails, unconfirmedPromises } from '../../netlify/server/publishing/site-details.ts';
import { site } from '../../src/site.config.ts';

const text = readFileSync('docs/promises.md', 'utf8');
const [byCode = '', byFirm = ''] = text.split('\n## ').slice(1);

describe('A public promise', () => {
  test('that only the firm can keep is shown to the owner until the owner confirms it', () => {
    const ids = [...byFirm.matchAll(/^\| `([a-z-]+)`/gm)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(10);
    expect(unconfirmedPromises().toSorted()).toEqual(ids.toSorted());
    expect(unconfirmedPromises({ confirmedPromises: ids })).toEqual([]);
    expect(() => checkSiteDetails({ ...site, confirmedPromises: ids })).not.toThrow();
  });

  test('that no page makes cannot be confirmed', () => {
    expect(() => checkSiteDetails({ ...site, confirmedPromises: ['moon'] })).toThrow(
      /must be one of rescue-response, /,
    );
  });

  test('that code keeps names files that exist', () => {
    const rows = byCode.split('\n').filter((line) => /^\| [A-Z]/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const files = [...row.matchAll(/`((?:src|netlify|tests|scripts)\/[^`]+)`/g)].map(([, file = '']) => file);
      expect(files.length, row).toBeGreaterThan(0);
      for (const file of files) expect(() => readFileSync(file), file).not.toThrow();
    }
  });
});
