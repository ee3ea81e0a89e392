import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compileModule, fingerprintOf, MODULES, readFingerprint } from '../../build/kernel.ts'
import { IS_FULL } from '../support/property-runs.ts'

for (const module of MODULES)
  test(`the committed ${basename(module.file)} is what its sources compile to`, async () => {
    // The fingerprint covers sources, compiler and module; when one of them changes, run `bun run build:kernel`.
    expect(fingerprintOf(module)).toBe(readFingerprint(module)!)
    if (!IS_FULL) return
    const compiled = await compileModule(module)
    expect(Buffer.compare(readFileSync(module.file), compiled.module)).toBe(0)
    if (module.types !== undefined) expect(readFileSync(module.types, 'utf8')).toBe(compiled.types)
  })
