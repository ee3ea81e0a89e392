/**
 * Which sign stands before the decimals: `1.234` is one and a bit, or a thousand and more. Values that can be read one way only
 * prove the mark of their column and of the others. What nothing proves is read by one mark throughout, and warned about.
 */

import { listSome } from '../../base/text/fit-text.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { Decision, Unproven } from '../report/decisions.ts'
import { type Warning, warn } from '../report/warnings.ts'
import type { TextNumbers } from '../source/spreadsheet/text-numbers.ts'
import type { Reading, Target } from './inference.ts'
import { type DecimalMark, parseNumber } from './numbers.ts'

const NAMED_COLUMNS = 3

interface MarkedColumn {
  readonly name: string
  readonly target: Target
}

interface SettledMarks {
  /** In the order of the columns. */
  readonly targets: readonly Target[]
  readonly decisions: readonly Decision[]
  readonly warnings: readonly Warning[]
  readonly unproven: readonly Unproven[]
}

/** Settles columns in doubt by the definition, by the columns that leave no doubt, or by one mark for all of them. */
export function settleDecimalMarks(columns: readonly MarkedColumn[], reading: Reading): SettledMarks {
  const proofs = findProofs(columns, reading)
  const [only] = proofs.keys()
  const known = reading.decimalMark ?? (proofs.size === 1 ? only : undefined)
  const open = columns.filter(({ target }) => target.ambiguous !== null)
  const differ = new Set(open.map(({ target }) => markOf(target))).size > 1
  const targets = columns.map(({ target }) => {
    if (known !== undefined) return { ...readWith(target, known), ambiguous: null }
    return differ && target.ambiguous !== null ? readWith(target, reading.usualMark ?? '.') : target
  })
  const isSettled = known !== undefined && open.length > 0
  const unsure = columns
    .map(({ name }, i) => ({ name, target: targets[i] as Target }))
    .filter(({ target }) => target.ambiguous !== null || (target.doubt != null && markOf(target) !== known))
  return {
    targets,
    decisions: [
      ...(isSettled ? [describeSettled(known, open, reading)] : []),
      ...(proofs.size > 1 ? [describeBoth(proofs)] : []),
    ],
    warnings: unsure.map(describeDoubt),
    unproven: unsure.map(({ name, target }) => ({
      kind: 'decimal_mark',
      column: name,
      read_as: markOf(target),
    })),
  }
}

/** How a column is read whose numbers are texts in part: a separator of thousands may be among them, if no number has a fraction. */
export function readingOfTexts(reading: Reading, texts: TextNumbers | undefined): Reading {
  if (texts === undefined || texts.fraction !== null) return reading
  return { ...reading, styles: reading.textStyles ?? reading.styles }
}

/** Beside numbers with a fraction such a text stays in doubt, and beside large whole numbers it is one of them. */
export function weighTexts(target: Target, texts: TextNumbers | undefined): Target {
  const { otherwise, type, styles, mark } = target
  if (texts === undefined) return target
  if (texts.fraction !== null)
    return mark === null ? target : { ...target, doubt: { example: texts.example, proof: texts.fraction } }
  if (!texts.hasWhole || otherwise?.type !== 'integer') return target
  return { ...target, ...otherwise, otherwise: { type, styles } }
}

/** By mark, the first column that leaves no doubt about it. Numbers of a format that has them prove nothing about texts. */
function findProofs(
  columns: readonly MarkedColumn[],
  { hasOwnNumbers }: Reading,
): ReadonlyMap<DecimalMark, MarkedColumn> {
  const proofs = new Map<DecimalMark, MarkedColumn>()
  for (const column of columns) {
    const { mark, doubt } = column.target
    if (mark === null || doubt != null || (hasOwnNumbers && mark === '.') || proofs.has(mark)) continue
    proofs.set(mark, column)
  }
  return proofs
}

/** The column read with a mark, where it could be. */
function readWith(target: Target, mark: DecimalMark): Target {
  const { otherwise } = target
  return otherwise === null || markOf(target) === mark ? target : { ...target, ...otherwise }
}

function markOf({ styles }: Target): DecimalMark {
  return styles[0]?.decimalComma ? ',' : '.'
}

function describeSettled(
  mark: DecimalMark,
  open: readonly MarkedColumn[],
  { decimalMark }: Reading,
): Decision {
  const named = open.map(({ name, target }) => `'${name}' (${target.ambiguous})`)
  const why = decimalMark === undefined ? 'as in the other columns' : 'as the definition says'
  return {
    kind: 'decimal_mark',
    reason: `numbers of ${listSome(named, NAMED_COLUMNS)} are read with '${mark}' as the decimal mark, ${why}`,
    override: adviseOption('decimal_mark'),
  }
}

function describeBoth(proofs: ReadonlyMap<DecimalMark, MarkedColumn>): Decision {
  const named = [...proofs].map(([mark, { name, target }]) => `'${mark}' in '${name}' (${target.separated})`)
  return {
    kind: 'decimal_mark',
    reason: `values prove both decimal marks, ${named.join(' and ')}: each column is read with its own`,
    override: null,
  }
}

/** The other reading, and how to have it or to confirm this one. */
function describeDoubt({ name, target }: MarkedColumn): Warning {
  const { doubt, ambiguous } = target
  const text = doubt?.example ?? ambiguous ?? ''
  const value = String(parseNumber(text, target.styles)?.value)
  const mark = markOf(target)
  if (doubt == null)
    return warn(
      'decimal_mark',
      { column: name, example: text, value },
      `'${name}' has numbers like ${text}, read as ${value}; if that is wrong, ${adviseOption('decimal_mark', mark === ',' ? '.' : ',')} says so`,
    )
  return warn(
    'decimal_mark_rare',
    { column: name, example: text, value, proof: doubt.proof },
    `'${name}' has numbers like ${text}, read as ${value} because of values such as ${doubt.proof}, which are few or of another kind: ${text} may have a separator of thousands. ${adviseOption('decimal_mark', mark)} confirms the reading, "type": "string" in a definition keeps the texts`,
  )
}
