import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { REFUSALS } from '../../src/read/report/reasons.ts'
import type { Rows } from '../../src/read/report/texts/row.ts'
import { WARNINGS } from '../../src/read/report/texts/warnings.ts'

const PAGES = join(import.meta.dir, '../../src/pages')
const FOLDERS = ['texts', 'operate/texts'].map((folder) => join(PAGES, folder))
/** What the tables are made with. */
const MAKERS = ['texts.ts']

type Tables = [string, Record<'ro' | 'en', Record<string, unknown>>][]

async function readTables(): Promise<Tables> {
  const tables: Tables = []
  const paths = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  for (const path of paths.filter((one) => !MAKERS.includes(basename(one)))) {
    const file = basename(path)
    // Functions choose among a table's texts.
    const exported = Object.entries(await import(path)).filter(([, one]) => typeof one !== 'function')
    tables.push(...exported.map(([name, table]) => [`${file} ${name}`, table] as Tables[number]))
  }
  return tables
}

test('every text exists in both languages', async () => {
  const tables = await readTables()
  expect(tables.length).toBeGreaterThan(3)
  for (const [name, { ro, en }] of tables) {
    expect([name, Object.keys(en).toSorted()]).toEqual([name, Object.keys(ro).toSorted()])
    for (const [key, text] of [...Object.entries(ro), ...Object.entries(en)]) {
      expect([
        name,
        key,
        typeof text === 'function' || (typeof text === 'string' && text.trim() !== ''),
      ]).toEqual([name, key, true])
    }
  }
})

test('Romanian readers are addressed formally, in sentences, on buttons and in menus', async () => {
  // Singular words of address, and singular commands that begin a text.
  const familiar =
    /(?<!\p{L}|se )(tu|tău|ta|tăi|tale|ție|îți|ești|ai|vrei|poți|fă-ți|încearcă|verifică|caută|explorează)(?!\p{L})/iu
  const command =
    /(^|['"`])(Activează|Actualizează|Adaugă|Afișează|Alege|Arată|Ascunde|Cere|Citește|Confirmă|Continuă|Copiază|Creează|Deconectează|Deschide|Descarcă|Dezactivează|Elimină|Filtrează|Înlocuiește|Intră|Lasă|Las-o|Mergi|Modifică|Oprește|Ordonează|Păstrează|Preia|Publică|Pune|Renunță|Revino|Revocă|Salvează|Sari|Schimbă|Scrie|Șterge|Trimite)(?!\p{L})/u
  const rows = Object.entries<Rows[string]>({ ...REFUSALS, ...WARNINGS })
  const ofRows = rows.map(([code, { ro, desk }]) => [code, `${ro} ${desk?.ro}`])
  const found = [...(await readTables()), ['rows', { ro: Object.fromEntries(ofRows) }] as const].flatMap(
    ([name, { ro }]) =>
      Object.entries(ro)
        .filter(([, text]) => familiar.test(written(text)) || command.test(written(text)))
        .map(([key]) => `${name} ${key}`),
  )
  expect(found).toEqual([])
})

/** A text, or the texts of a function, whose source has escaped letters. */
function written(text: unknown): string {
  return String(text).replaceAll(/\\u([0-9a-f]{4})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
