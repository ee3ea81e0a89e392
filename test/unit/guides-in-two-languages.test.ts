/** A guide in Romanian has every section, table row, link, figure and code name of its English one, and no other. */

import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ABOUT_TEXTS } from '../../src/pages/texts/desk.ts'
import { DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { POINT_TEXTS } from '../../src/pages/texts/desk-points.ts'
import { END_TEXTS, WELCOME_TEXTS } from '../../src/pages/welcome/texts/welcome-texts.ts'

const DOCS = join(import.meta.dir, '../../docs')

/** Words in placeholders, which are translated. */
const TRANSLATED: readonly (readonly [romanian: string, english: string])[] = [
  ['coloană', 'column'],
  ['valoare', 'value'],
  ['FISIER', 'FILE'],
  ['RESURSA', 'RESOURCE'],
  ['zz.ll.aaaa', 'dd.mm.yyyy'],
]

const FENCE = /```[\s\S]*?```/g

/** @returns what a guide has besides its sentences, for comparison with another language */
function partsOf(text: string) {
  const prose = text.replaceAll(FENCE, '')
  const firsts = (pattern: RegExp) => [...prose.matchAll(pattern)].map((match) => match[1]!)
  return {
    headings: firsts(/^(#+) /gm),
    tableRows: firsts(/^(\|).*\|$/gm).length,
    links: firsts(/\]\(([^)]+)\)/g)
      .map((address) => (/^\w+:/.test(address) ? address : basename(address)))
      .toSorted(),
    figures: [...prose.replaceAll(/`[^`\n]+`|\]\([^)]*\)/g, '').matchAll(/\d+(?:[.,]\d{3}\b)*/g)]
      .map(([figure]) => figure.replaceAll(/[.,]/g, ''))
      .toSorted(),
    code: [...new Set(firsts(/`([^`\n]+)`/g))].toSorted(),
    fences: text.match(FENCE)?.map((fence) => fence.split('\n', 1)[0]) ?? [],
  }
}

test.each(readdirSync(join(DOCS, 'ro')))('docs/ro/%s has everything that the English guide has', (name) => {
  const english = readFileSync(join(DOCS, name), 'utf8')
  let romanian = readFileSync(join(DOCS, 'ro', name), 'utf8')
  for (const [said, meant] of TRANSLATED) {
    romanian = romanian.replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(said, meant))
  }
  expect(partsOf(romanian)).toEqual(partsOf(english))
})

test.each([
  ['en', 'laptop.md'],
  ['ro', 'ro/laptop.md'],
] as const)(
  'in the language %s, what docs/%s has in bold, to press or to read, is on a page',
  (language, name) => {
    const tables = [WELCOME_TEXTS, END_TEXTS, ABOUT_TEXTS, POINT_TEXTS, DRAFT_TEXTS]
    const shown = new Set<unknown>(tables.flatMap((table) => Object.values(table[language])))
    const named = [...readFileSync(join(DOCS, name), 'utf8').matchAll(/\*\*([^*]+)\*\*/g)].map(
      ([, text]) => text!,
    )
    expect(named.length).toBeGreaterThan(6)
    expect(named.filter((text) => text !== 'Izvor' && !shown.has(text))).toEqual([])
  },
)
