/** What src/README.md says about the sources: paths, decisions, and the picture of the folders. */

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { ROOT, readDocument } from '../support/markdown.ts'

describe('src/README.md', () => {
  const { text, prose } = readDocument('src/README.md')
  const decisions = [...text.matchAll(/^\d+\. (?:.+\n)+?(?=\d+\. |\n)/gm)].map(([decision]) => decision)

  test('every file and folder that it names exists', () => {
    const named = [...prose.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(60)
    const isThere = (path: string) => existsSync(join(ROOT, 'src', path)) || existsSync(join(ROOT, path))
    expect(named.filter((path) => path !== 'restoring/' && !isThere(path))).toEqual([])
  })

  test('at most 30 decisions, each with its price, in at most 80 words', () => {
    expect(decisions.length).toBeGreaterThan(20)
    expect(decisions.length).toBeLessThanOrEqual(30)
    for (const decision of decisions) {
      expect(decision).toContain('*Price:*')
      expect([decision, decision.split(/\s+/).length <= 80]).toEqual([decision, true])
    }
  })

  test('its picture lists the folders in the order of the layers', () => {
    const rule = readFileSync(join(ROOT, 'test/unit/dependency-rule.test.ts'), 'utf8')
    const floors = [...rule.match(/'': \[([^\]]*)\]/)![1]!.matchAll(/'([^']+)'/g)].map((match) => match[1]!)
    const picture = readDocument('src/README.md')
      .fences[1]!.text.split('\n')
      .flatMap((line) => {
        return line.split('   ')[0]!.split(' ').filter(Boolean)
      })
    expect(picture.map((name) => name.replace(/\/$/, ''))).toEqual(floors.toReversed())
  })
})

test('the rules of reading name tests and files that exist', () => {
  const { text } = readDocument('src/read/README.md')
  const rules = text.split('\n').filter((line) => /^\|(?! decision|---)/.test(line))
  expect(rules.length).toBeGreaterThan(25)
  const tests = rules.flatMap(
    (rule) =>
      rule
        .split(' | ')
        .at(-1)
        ?.match(/(?<=`)[\w-]+(?=`)/g) ?? ['none'],
  )
  const lacking = tests.filter((name) => !existsSync(join(ROOT, `test/unit/ingest-${name}.test.ts`)))
  expect(lacking).toEqual([])
  const files = [...text.matchAll(/`((?:\w+\/)+[\w-]+\.ts)`/g)].map((match) => match[1]!)
  const folder = (file: string) =>
    /^(read|publish)\//.test(file) ? 'src' : file.startsWith('test/') ? '' : 'src/read'
  expect(files.filter((file) => !existsSync(join(ROOT, folder(file), file)))).toEqual([])
})

test('the threats name tests that exist', () => {
  const { text } = readDocument('src/accounts/README.md')
  const rows = text.split('\n').filter((line) => /^\|(?! threat|---)/i.test(line))
  const named = rows.flatMap((row) =>
    [
      ...row
        .split(' | ')
        .at(-1)!
        .matchAll(/"([^"]+)"/g),
    ].map(([, name]) => name!),
  )
  expect(named.length).toBeGreaterThan(50)
  const files = [
    ...new Glob('{unit,contract,journeys,faults,browser}/**/*.test.ts').scanSync(join(ROOT, 'test')),
  ]
  const tests = files
    .map((file) => readFileSync(join(ROOT, 'test', file), 'utf8').replaceAll("\\'", "'"))
    .join('\n')
  expect(named.filter((name) => !tests.includes(name))).toEqual([])
})
