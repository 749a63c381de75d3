import type { Migration } from './migration.ts';

export const from30: readonly Migration[] = [];
