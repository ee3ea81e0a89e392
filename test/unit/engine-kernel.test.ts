import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { compileKernel } from '../../build/kernel.ts'

test('the committed kernel is what its source compiles to', async () => {
  const committed = readFileSync(new URL('../../src/engine/kernel/kernel.wasm', import.meta.url))
  expect(Buffer.compare(committed, await compileKernel())).toBe(0)
})
