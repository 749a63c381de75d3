import { subDays } from 'date-fns/subDays';
import { keptDays } from '../../../src/domain/retention.ts';
import { type Database, sql, text } from '../db/database.ts';

/** A violation of a page's Content Security Policy that a browser reported, without data of the visitor. */
export interface PolicyReport {
  readonly directive: string;
  /** The blocked origin, or a keyword such as `inline`. */
  readonly blocked: string;
  readonly page: string;
}

export interface PolicyReportSummary extends PolicyReport {
  readonly count: number;
  /** ISO 8601, UTC. */
  readonly lastAt: string;
}

/** The most kinds of violations that are counted. Anyone can send reports, so further kinds are counted as `other`. */
export const mostPolicyReports = 100;
const other: PolicyReport = { directive: 'other', blocked: 'other', page: 'other' };

/** Counts reported violations by kind. A count is deleted `keptDays.policyReport` days after its last report. */
export function policyReportStore(database: Database) {
  return {
    async count({ directive, blocked, page }: PolicyReport, at: string): Promise<void> {
      const upsert = `ON CONFLICT (directive, blocked, page) DO UPDATE SET count = count + 1, last_at = excluded.last_at`;
      const known = `SELECT 1 FROM policy_reports WHERE directive = ? AND blocked = ? AND page = ?`;
      const full = `(SELECT count(*) FROM policy_reports) >= ${mostPolicyReports - 1} AND NOT EXISTS (${known})`;
      const row = [directive, blocked, page];
      const rest = [other.directive, other.blocked, other.page];
      await database.write(
        sql('DELETE FROM policy_reports WHERE last_at < ?', subDays(at, keptDays.policyReport).toISOString()),
        sql(
          `INSERT INTO policy_reports (directive, blocked, page, count, first_at, last_at)
           SELECT CASE WHEN ${full} THEN ? ELSE ? END, CASE WHEN ${full} THEN ? ELSE ? END,
             CASE WHEN ${full} THEN ? ELSE ? END, 1, ?, ? WHERE true ${upsert}`,
          ...row.flatMap((value, index) => [...row, rest[index] ?? '', value]),
          at,
          at,
        ),
      );
    },

    /** Returns the kinds of violations that were reported last, and the total number of reports. */
    async summary(limit: number): Promise<{ count: number; latest: PolicyReportSummary[] }> {
      const [total] = await database.read(sql('SELECT coalesce(sum(count), 0) AS count FROM policy_reports'));
      const rows = await database.read(
        sql('SELECT directive, blocked, page, count, last_at FROM policy_reports ORDER BY last_at DESC LIMIT ?', limit),
      );
      return {
        count: Number(total?.count),
        latest: rows.map((row) => ({
          directive: text(row.directive),
          blocked: text(row.blocked),
          page: text(row.page),
          count: Number(row.count),
          lastAt: text(row.last_at),
        })),
      };
    },
  };
}
