/** The recipes in the guide to data tools, run as printed, if their Python packages are installed. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findPython, findRemoteDuckDb } from '../support/python.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const rows = ['ALBA,01,480', 'Cluj,12,100', 'Cluj,12,20', 'Dolj,16,']
  await app.ingestCsv(`county,code,vehicle_count\n${rows.join('\n')}\n`, {
    id: 'vehicle_registry',
    domain: 'transport',
    title: 'Vehicule pe județe',
  })
})
afterAll(() => app.stop())

const guide = await Bun.file(join(import.meta.dir, '../../docs/tools.md')).text()

/** The Python code of a section, in order. */
function recipesOf(section: string): string[] {
  const from = guide.indexOf(`<a id="${section}"></a>`)
  const next = guide.indexOf('<a id="', from + 1)
  const text = guide.slice(from, next === -1 ? undefined : next)
  return [...text.matchAll(/```python\n([\s\S]*?)\n```/g)].map((match) => match[1]!)
}

/** Does not use `spawnSync`, because the service answers from this process. */
async function run(python: string, script: string): Promise<string> {
  const child = Bun.spawn([python, '-c', script.replaceAll('http://127.0.0.1:3000', app.url)], {
    ...{ stdout: 'pipe', stderr: 'pipe', env: { ...process.env, IZVOR_KEY: app.key } },
  })
  const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([await child.exited, complaint]).toEqual([0, expect.any(String)])
  return output.replaceAll(/[ \t]+/g, ' ')
}

const SHOWS: readonly (readonly [section: string, packages: readonly string[], shows: readonly RegExp[]])[] =
  [
    ['pandas', ['pandas', 'pyarrow'], [/Cluj 120/, /county (object|str)/]],
    ['polars', ['polars', 'requests'], [/Cluj.*120/]],
  ]

for (const [section, packages, shows] of SHOWS) {
  const python = findPython(...packages)
  test.skipIf(python === null)(`the recipes for ${section} show what they should`, async () => {
    const recipes = recipesOf(section)
    expect(recipes).toHaveLength(shows.length)
    for (const [index, recipe] of recipes.entries()) expect(await run(python!, recipe)).toMatch(shows[index]!)
  })
}

const duckdb = findRemoteDuckDb()
test.skipIf(duckdb === null)('the recipe for duckdb shows what it should', async () => {
  expect(await run(duckdb!, recipesOf('duckdb')[0]!)).toMatch(/Cluj . 120/)
})
