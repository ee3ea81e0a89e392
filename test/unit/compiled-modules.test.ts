import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compileModule, MODULES } from '../../build/kernel.ts'

for (const module of MODULES)
  test(`the committed ${basename(module.file)} is what its sources compile to`, async () => {
    expect(Buffer.compare(readFileSync(module.file), await compileModule(module))).toBe(0)
  })
