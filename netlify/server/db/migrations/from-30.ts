import type { Migration } from './migration.ts';

export const from30: readonly Migration[] = [
  {
    id: 30,
    name: 'no drafts of refused forms',
    statements: [`DROP TABLE form_drafts`, `DELETE FROM anonymous_bytes WHERE kind = 'draft'`],
  },
];
