import type { Row, Value } from '@libsql/client/http';
import type { DeliveryState } from '../../../src/domain/delivery.ts';
import {
  type InquiryInput,
  type InquiryListQuery,
  type InquiryRecord,
  type InquiryStatus,
  idRangeOf,
  inquiryRecord,
  referenceOf,
} from '../../../src/domain/inquiry.ts';
import type { Page } from '../../../src/domain/paging.ts';
import { type Database, type Statement, sql, text } from '../db/database.ts';
import { cursorCondition, cursorOf, searchExpression } from '../db/paging.ts';

/** An inquiry on its way into the store: everything is decided before, so that a retry writes the same row. */
export interface NewInquiry {
  readonly id: string;
  readonly input: InquiryInput;
  readonly status: InquiryStatus;
  readonly suspicions: readonly string[];
  readonly createdAt: string;
  /**
   * The same inquiry may already stand under this id, from the window of time before (a native form has no key of its
   * own); then nothing is stored.
   */
  readonly unlessStored?: string;
}

/** The two mails of an inquiry, joined to its row. */
const selectInquiry = `
  SELECT i.seq, i.id, i.full_name, i.email, i.company, i.service_interest, i.message, i.status, i.suspicions, i.created_at,
    f.status AS firm_status, coalesce(f.sent_at, f.due_at) AS firm_at, f.error AS firm_error,
    s.status AS sender_status, coalesce(s.sent_at, s.due_at) AS sender_at, s.error AS sender_error
  FROM inquiries i
  LEFT JOIN outbox f ON f.inquiry_id = i.id AND f.audience = 'firm'
  LEFT JOIN outbox s ON s.inquiry_id = i.id AND s.audience = 'sender'`;

export function inquiryStore(database: Database) {
  const get = async (id: string): Promise<InquiryRecord | null> => {
    const [row] = await database.read(sql(`${selectInquiry} WHERE i.id = ?`, id));
    return row ? toRecord(row) : null;
  };

  return {
    get,

    /**
     * Stores an inquiry; the schema puts its two mails into the outbox with it, unless it is held in quarantine. Storing it
     * again changes nothing.
     * @returns the id under which it stands, and whether this call stored it.
     */
    async create(inquiry: NewInquiry): Promise<{ id: string; created: boolean }> {
      const { id, input, status, suspicions, createdAt, unlessStored } = inquiry;
      const [inserted] = await database.write(
        sql(
          `INSERT INTO inquiries (id, full_name, email, company, service_interest, message, status, suspicions, created_at)
           SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM inquiries WHERE id = ?)
           ON CONFLICT (id) DO NOTHING`,
          id,
          input.fullName,
          input.email,
          input.company,
          input.serviceInterest,
          input.message,
          status,
          JSON.stringify(suspicions),
          createdAt,
          unlessStored ?? id,
        ),
      );
      const created = inserted?.rowsAffected === 1;
      if (created || unlessStored === undefined) return { id, created };
      const [earlier] = await database.read(sql('SELECT id FROM inquiries WHERE id IN (?, ?)', id, unlessStored));
      return { id: earlier ? text(earlier.id) : id, created };
    },

    /** A page of one place, newest first unless asked otherwise. */
    async list(query: InquiryListQuery): Promise<Page<InquiryRecord>> {
      const descending = query.sort === '-createdAt';
      const conditions = [sql('i.status = ?', query.status)];
      const search = searchCondition(query.q);
      if (search) conditions.push(search);
      if (query.cursor) conditions.push(cursorCondition(query.cursor, 'i.created_at', 'i.seq', descending));
      const direction = descending ? 'DESC' : 'ASC';
      const rows = await database.read(
        sql(
          `${selectInquiry} WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}
           ORDER BY i.created_at ${direction}, i.seq ${direction} LIMIT ?`,
          ...conditions.flatMap((condition) => condition.args),
          query.limit + 1,
        ),
      );
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      return {
        data: page.map(toRecord),
        nextCursor: rows.length > query.limit && last ? cursorOf(text(last.created_at), Number(last.seq)) : null,
      };
    },

    async counts(): Promise<Record<InquiryStatus, number>> {
      const rows = await database.read(sql('SELECT status, count(*) AS count FROM inquiries GROUP BY status'));
      const counts = { inbox: 0, quarantine: 0 };
      for (const row of rows) counts[row.status as InquiryStatus] = Number(row.count);
      return counts;
    },

    /** Takes an inquiry out of quarantine; its mails are due as if it had just come. @returns null where there is none. */
    async release(id: string): Promise<InquiryRecord | null> {
      await database.write(sql(`UPDATE inquiries SET status = 'inbox' WHERE id = ?`, id));
      return await get(id);
    },

    /** Puts an inquiry into quarantine; a mail that has not gone out stays in. @returns null where there is none. */
    async quarantine(id: string): Promise<InquiryRecord | null> {
      await database.write(
        sql(`UPDATE inquiries SET status = 'quarantine' WHERE id = ?`, id),
        sql(`DELETE FROM outbox WHERE inquiry_id = ? AND status <> 'sent'`, id),
      );
      return await get(id);
    },
  };
}

/** Words anywhere in an inquiry, or its reference as the visitor reads it out. */
function searchCondition(q: string): Statement | null {
  const words = searchExpression(q);
  if (!words) return null;
  const byWords = sql('i.seq IN (SELECT rowid FROM inquiries_words WHERE inquiries_words MATCH ?)', words);
  const range = idRangeOf(q);
  return range ? sql(`(${byWords.sql} OR (i.id >= ? AND i.id < ?))`, ...byWords.args, range.from, range.to) : byWords;
}

function toRecord(row: Row): InquiryRecord {
  const delivery = (status: Value | undefined, at: Value | undefined, error: Value | undefined): DeliveryState =>
    typeof status === 'string'
      ? { status: status as DeliveryState['status'], at: text(at), error: typeof error === 'string' ? error : null }
      : { status: 'none', at: null, error: null };
  const id = text(row.id);
  return inquiryRecord.parse({
    id,
    reference: referenceOf(id),
    fullName: row.full_name,
    email: row.email,
    company: row.company,
    serviceInterest: row.service_interest,
    message: row.message,
    createdAt: row.created_at,
    status: row.status,
    suspicions: JSON.parse(text(row.suspicions)) as unknown,
    delivery: {
      firm: delivery(row.firm_status, row.firm_at, row.firm_error),
      sender: delivery(row.sender_status, row.sender_at, row.sender_error),
    },
  });
}
