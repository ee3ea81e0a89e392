/**
 * Which of two numbers is the day: `1/2/2019` is 1 February or 2 January. A value above 12 proves the order of its column
 * and of other columns in doubt, whatever separator the dates have. If nothing proves it, the dates are read in the likely
 * order, with a warning.
 */

import { listSome } from '../../base/text/fit-text.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { Decision, Unproven } from '../report/decisions.ts'
import { type Warning, warn } from '../report/reasons.ts'
import { ALL_ORDERS, DAY_FIRST, type DateOrder, MONTH_FIRST } from './moments.ts'

/** The orders' names in definitions and on the command line. */
export type DateOrderName = 'dmy' | 'mdy'

/** Dates of a column whose day and month could be exchanged. */
export class OpenDates {
  /** The first one whose two readings differ. */
  example: string | null = null
  /** All of them are written with dots, which is rare with the month first. */
  #areDotted = true
  /** First and second numbers seen, as bits. */
  #firsts = 0
  #seconds = 0

  /** @param text a date in either order, or one that begins with the year, which is unambiguous */
  add(text: string): void {
    const found = /^(\d{1,2})([-/.])(\d{1,2})\2\d{4}/.exec(text)
    if (!found) return
    const first = Number(found[1])
    const second = Number(found[3])
    this.#firsts |= 1 << first
    this.#seconds |= 1 << second
    if (found[2] !== '.') this.#areDotted = false
    if (first !== second) this.example ??= text
  }

  /**
   * The likely order: all twelve first numbers with a single second one are the months of a year rather than twelve days.
   */
  get likely(): DateOrder {
    const isOneDay = (this.#seconds & (this.#seconds - 1)) === 0
    return isOneDay && this.#firsts === 0b1_1111_1111_1110 && !this.#areDotted ? MONTH_FIRST : DAY_FIRST
  }
}

/** What the values of a column say about its dates. */
export interface OrderOfDates {
  readonly order: DateOrder
  /** A date whose day and month could be exchanged, if that holds for all values; else null. */
  readonly openDate: string | null
  /** The order that the values prove. */
  readonly provenOrder: DateOrder | null
}

type DatedColumn = Readonly<{ name: string; target: { order: DateOrder } & Partial<OrderOfDates> }>

/** @param fitting orders that all dates of a column fit, as bits */
export function weighOrders(fitting: number, open: OpenDates): OrderOfDates {
  if (fitting !== ALL_ORDERS) {
    const order = fitting === MONTH_FIRST ? MONTH_FIRST : DAY_FIRST
    return { order, openDate: null, provenOrder: order }
  }
  if (open.example === null) return { order: DAY_FIRST, openDate: null, provenOrder: null }
  return { order: open.likely, openDate: open.example, provenOrder: null }
}

/**
 * Settles columns in doubt by the option, or by columns that prove an order.
 * @param asked the option's order; values that prove another order take precedence
 * @returns orders by column name, for columns settled this way
 */
export function settleDateOrders(
  columns: readonly DatedColumn[],
  asked: DateOrderName | undefined,
): { orders: Map<string, DateOrder>; decisions: Decision[]; warnings: Warning[]; unproven: Unproven[] } {
  const open = columns.filter(({ target }) => target.openDate != null)
  const proven = new Set(columns.flatMap(({ target }) => target.provenOrder ?? []))
  const [only] = proven
  const onlyProven = proven.size === 1 ? only : undefined
  const known = asked === undefined ? onlyProven : asked === 'mdy' ? MONTH_FIRST : DAY_FIRST
  const isProvenOther = ({ target: { provenOrder } }: DatedColumn) =>
    asked !== undefined && provenOrder != null && provenOrder !== known
  const others = columns.filter(isProvenOther)
  const contradictions = others.map(({ name, target }) =>
    warn('date_order_proven', { column: name, order: nameOf(target.order) }),
  )
  if (open.length === 0 || known === undefined) {
    const unproven = open.map(({ name, target: { openDate, order } }) => ({
      column: name,
      example: openDate ?? '',
      order: nameOf(order),
    }))
    return {
      orders: new Map(),
      decisions: [],
      warnings: [...unproven.map((values) => warn('date_order', values)), ...contradictions],
      unproven: unproven.map(({ column, order }) => ({ kind: 'date_order', column, read_as: order })),
    }
  }
  const named = open.map(({ name, target }) => `'${name}' (${target.openDate})`)
  const why = asked === undefined ? 'as in the other columns' : 'as asked'
  const reason = `dates of ${listSome(named, 3)} are read with the ${known === MONTH_FIRST ? 'month' : 'day'} first, ${why}`
  const override = adviseOption('date_order', known === MONTH_FIRST ? 'dmy' : 'mdy')
  return {
    orders: new Map(open.map(({ name }) => [name, known])),
    decisions: [{ kind: 'date_order', reason, override }],
    warnings: contradictions,
    unproven: [],
  }
}

function nameOf(order: DateOrder): DateOrderName {
  return order === MONTH_FIRST ? 'mdy' : 'dmy'
}
