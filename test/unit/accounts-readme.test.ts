import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

test('every test that the table of threats names exists', () => {
  const readme = readFileSync(join(ROOT, 'src/accounts/README.md'), 'utf8')
  const threats = readme.slice(readme.indexOf('## Threats'), readme.indexOf('## OWASP API'))
  const named = [...threats.matchAll(/"([^"]+)" \|$/gm)].map((match) => match[1] as string)
  const rows = threats.split('\n').filter((line) => line.startsWith('| ')).length - 1
  expect(named).toHaveLength(rows)
  expect(rows).toBeGreaterThan(25)
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
    .join('\n')
  expect(named.filter((name) => !tests.includes(`test('${name}'`))).toEqual([])
})
