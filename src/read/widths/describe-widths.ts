/** What was decided about records of another width, in sentences with their evidence. */

import { adviseOption } from '../definition/read-options.ts'
import type { Decision } from '../report/decisions.ts'
import type { QuarantineCount } from '../report/quarantine.ts'
import type { Plan } from './joins.ts'

const NAMED = 3

function decide(reason: string): Decision {
  return { kind: 'ragged', reason, override: adviseOption('ragged', 'quarantine') }
}

/** @param found how many rows, the first one's line, the column's name */
export function describeCut(found: {
  rows: number
  line: number
  name: string
  isDecimal: boolean
}): Decision {
  const { rows, line, name, isDecimal } = found
  const what = isDecimal
    ? 'a decimal comma without quotes cuts the numbers'
    : 'a delimiter without quotes cuts the texts'
  const proof = isDecimal
    ? 'no fraction ends in 0, and the rows of the right width have whole numbers there'
    : 'every second half begins with a space'
  return decide(
    `${rows} rows, the first on line ${line}, have one cell too many: ${what} of '${name}' throughout, as ${proof}. The halves are joined`,
  )
}

export function describeBlock(found: {
  rows: number
  line: number
  cells: number
  plan: Plan
  names: readonly string[]
}): Decision {
  const { rows, line, cells, plan, names } = found
  const lacking = names.filter((_, column) => (plan.first[column] as number) < 0)
  const named = lacking.slice(0, NAMED).join("', '")
  const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : ''
  return decide(
    `${rows} rows, the first on line ${line}, stand together and have ${cells} cells: as a whole they fit the columns in one way only, so '${named}'${more} of theirs are null`,
  )
}

export function describeLeftOff(rows: number, line: number): Decision {
  return decide(
    `${rows} rows, the first on line ${line}, end with their last value, as no row ends with a blank cell: the cells left off are null`,
  )
}

const MENDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  surplus_blanks: [
    'has more delimiters at its end than the header, with nothing between them: they are cut',
    'have more delimiters at their ends than the header, with nothing between them: they are cut',
  ],
  joined: [
    'has a text that an unquoted delimiter cut: there is one way only to join it',
    'have a text that an unquoted delimiter cut: there is one way only to join it',
  ],
  left_off: [
    'lacks cells at its end, as the file leaves blank ones off: they are null',
    'lack cells at their ends, as the file leaves blank ones off: they are null',
  ],
}

export function describeMends(mended: readonly QuarantineCount[]): Decision[] {
  return mended.map(({ reason, count, first_line }) => {
    const [one, many] = MENDS[reason] ?? ['', '']
    return decide(
      count === 1
        ? `1 row, on line ${first_line}, ${one}`
        : `${count} rows, the first on line ${first_line}, ${many}`,
    )
  })
}
