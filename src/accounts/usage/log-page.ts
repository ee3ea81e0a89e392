/** A page of the request log, filtered, newest first. */

import type Database from 'better-sqlite3'
import { type Pagination, paginationOf } from '../../base/pagination.ts'
import { readAtOnce } from '../../db/transaction.ts'
import { LOG_COLUMNS, type LogRecord, type LogRow, toLogRecord } from './log-record.ts'

export interface LogQuery {
  /** Records of these keys only. */
  readonly keyIds: readonly number[]
  /** In any case. */
  readonly method?: string | undefined
  /** 1 to 5: the first digit of the status. */
  readonly statusClass?: number | undefined
  /** Literal text that the path contains. */
  readonly q?: string | undefined
  /** Both included, and compared by the second, as records show their moment. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
  readonly offset: number
}

export interface LogPage {
  readonly data: readonly LogRecord[]
  readonly pagination: Pagination
}

/** Runs the query on a database or a connection that only reads. */
export function readLogPage(database: Database.Database, query: LogQuery): LogPage {
  const { limit, offset } = query
  const { where, values } = conditionOf(query)
  const total = database.prepare<unknown[], number>(`SELECT count(*) FROM request_logs WHERE ${where}`)
  // The rows are found by index alone; only those shown are read whole.
  const page = database.prepare<unknown[], LogRow>(`
    SELECT id, ${LOG_COLUMNS} FROM request_logs WHERE id IN (
      SELECT id FROM request_logs WHERE ${where} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?
    ) ORDER BY at DESC, id DESC
  `)
  const found = readAtOnce(database, () => ({
    total: total.pluck().get(...values) ?? 0,
    rows: page.all(...values, limit, offset),
  }))
  const data = found.rows.map(toLogRecord)
  return { data, pagination: paginationOf({ total: found.total, count: data.length, limit, offset }) }
}

function conditionOf(query: LogQuery): { where: string; values: unknown[] } {
  const where = ['key_id IN (SELECT value FROM json_each(?))']
  const values: unknown[] = [JSON.stringify(query.keyIds)]
  const add = (condition: string, ...given: unknown[]) => {
    where.push(condition)
    values.push(...given)
  }
  if (query.method !== undefined) add('method = ?', query.method.toUpperCase())
  if (query.statusClass !== undefined) {
    add('status BETWEEN ? AND ?', query.statusClass * 100, query.statusClass * 100 + 99)
  }
  if (query.q !== undefined) add('instr(path, ?) > 0', query.q)
  if (query.since !== undefined) add('at >= ?', wholeSeconds(query.since))
  if (query.until !== undefined) add('at <= ?', wholeSeconds(query.until))
  return { where: where.join(' AND '), values }
}

function wholeSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
