/** The generated documents match the tables. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCUMENTS } from '../../build/documents.ts'

const DOCS = join(import.meta.dir, '../../docs')

test.each(Object.entries(DOCUMENTS))('docs/%s is what "bun run build:docs" writes', (name, write) => {
  expect(readFileSync(join(DOCS, name), 'utf8')).toBe(write())
})
