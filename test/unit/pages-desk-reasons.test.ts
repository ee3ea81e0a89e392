/** What the desk says about warnings and refusals: every code in both languages, and no English on a Romanian page. */

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { CommandError, Reason } from '../../src/base/errors.ts'
import { sayReasons, sayWarning } from '../../src/pages/desk/reasons.tsx'
import { REFUSALS } from '../../src/read/report/reasons.ts'
import { WARNINGS } from '../../src/read/report/texts/warnings.ts'
import { OF_BYTES } from '../support/advice/of-bytes.ts'
import { OF_GATES } from '../support/advice/of-gates.ts'
import { OF_STRUCTURE, OF_WIDTHS } from '../support/advice/of-structure.ts'
import { OF_VALUES } from '../support/advice/of-values.ts'
import { ENGLISH_WORDS } from '../support/english-words.ts'
import { openWorkplace } from '../support/ingest.ts'

/** A value for every name that a text may use. */
const NAMES =
  'encoding word other other_encoding names column example value sheet option format key host address name sign proof columns lines'
const NUMBERS =
  'line cell named count before now rows version percent row records cells all most bytes status sums'
const VALUES = {
  ...Object.fromEntries(NAMES.split(' ').map((name) => [name, name.toUpperCase()])),
  ...Object.fromEntries(NUMBERS.split(' ').map((name) => [name, 5])),
  order: 'mdy',
  record: 5,
}

const CODES = [
  ...Object.keys(WARNINGS).map((code) => [code, sayWarning] as const),
  ...Object.keys(REFUSALS).map(
    (code) => [code, (language: 'ro' | 'en', reason: Reason) => sayReasons(language, [reason])[0]] as const,
  ),
]

test.each(CODES)('%s has a sentence in both languages, without command-line options', (code, say) => {
  const kind = code === 'personal_data' ? 'cnp' : 'drift'
  const [ro, en] = (['ro', 'en'] as const).map((language) =>
    say(language, { code, values: { ...VALUES, kind } }),
  )
  for (const text of [ro, en]) {
    expect(text).toMatch(/^\P{Ll}.*([.]|https:\/\/)$/u)
    expect(text).not.toMatch(/ --|undefined|NaN|function/)
  }
  expect(ro).not.toBe(en as string)
  expect(ro).not.toMatch(ENGLISH_WORDS)
  expect(en).toMatch(ENGLISH_WORDS)
})

test('an unknown code is shown in the service’s own sentence', () => {
  expect(sayWarning('ro', { code: 'new_one', values: {} })).toBeNull()
  expect(sayWarning('ro', { code: 'toString', values: {} })).toBeNull()
  expect(
    sayReasons('ro', [
      { code: 'empty_file', values: {} },
      { code: 'new_one', values: {} },
    ]),
  ).toEqual([])
})

describe('real files', () => {
  const cases = Object.entries({ ...OF_STRUCTURE, ...OF_WIDTHS, ...OF_VALUES, ...OF_BYTES, ...OF_GATES })

  test.each(cases)('%s: warnings and refusals are in Romanian', async (_, { file, served }) => {
    const place = openWorkplace()
    if (served) await place.attempt(served.file)
    const { warnings, reasons } = await place.attempt(file).then(
      (report) => ({
        warnings: report.warning_codes,
        reasons: report.refusals.map(({ kind }) => ({ code: kind, values: {} })),
      }),
      (error: CommandError) => ({ warnings: [], reasons: error.reasons }),
    )
    const said = [
      ...warnings.map((warning) => sayWarning('ro', warning)),
      ...reasons.map((reason) => sayReasons('ro', [reason])[0] ?? null),
    ]
    for (const text of said) {
      expect(text).not.toBeNull()
      expect(text).not.toMatch(ENGLISH_WORDS)
    }
  })

  test('the codes are in the order of the warnings', async () => {
    const { warnings, warning_codes } = await openWorkplace().attempt(
      'zi,n\n1/2/2019,"1,234"\n3/4/2019,"5,678"\n',
    )
    expect(warnings).toHaveLength(2)
    expect(warning_codes).toEqual([
      { code: 'date_order', values: { column: 'zi', example: '1/2/2019', order: 'dmy' } },
      { code: 'decimal_mark', values: { column: 'n', example: '1,234', value: expect.any(String) } },
    ])
  })
})

test('every refusal of a file and every failed fetch has a code', async () => {
  const folder = join(import.meta.dir, '../../src/read')
  const silent: string[] = []
  for (const path of new Bun.Glob('**/*.ts').scanSync(folder)) {
    const source = await Bun.file(join(folder, path)).text()
    const pattern = path.startsWith('source/remote')
      ? /new CommandError\(\s*'(?:failed|usage)'/g
      : /new CommandError\(\s*'refused'/g
    for (const { index } of source.matchAll(pattern)) {
      const call = source.slice(index, index + 900).split(/\n(?=[ ]{0,6}(?:throw|return|\}))/)[0] ?? ''
      if (!/reasons/i.test(call)) silent.push(`${path} ${call.slice(0, 120)}`)
    }
  }
  // Gates identify what they refuse by the kinds in their report.
  expect(silent.filter((call) => !call.startsWith('publish/gates.ts'))).toEqual([])
})
