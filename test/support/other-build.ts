/**
 * An executable of changed sources, like a later release. The sources are copied, changed and built as `bun run build`
 * builds them, which takes a few seconds.
 */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
/** What the executable is made of. */
const PARTS = ['NOTICE', 'build', 'data', 'docs', 'src', 'package.json', 'tsconfig.json']

export interface OtherBuild {
  /** What the executable says it is. */
  readonly version: string
  /** A statement that it runs on `accounts.db` before it serves; none by default. */
  readonly migration?: string
}

/**
 * @param folder empty or missing; afterwards it is the checkout of the build
 * @returns path of the executable
 */
export function buildOther(folder: string, { version, migration }: OtherBuild): string {
  mkdirSync(folder, { recursive: true })
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const manifest = join(folder, 'package.json')
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }))
  if (migration !== undefined) addMigration(join(folder, 'src/db'), migration)
  const built = Bun.spawnSync([process.execPath, join(folder, 'build/compile.ts')], {
    cwd: folder,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if (built.exitCode !== 0) throw new Error(`the other build failed:\n${built.stderr.toString()}`)
  return join(folder, 'dist', 'izvor')
}

/** Adds a migration of accounts after the existing ones. */
function addMigration(folder: string, sql: string): void {
  writeFileSync(join(folder, 'migrations/accounts/later.sql'), sql)
  const list = join(folder, 'migrations.ts')
  const before = readFileSync(list, 'utf8')
  const after = before
    .replace(/^import/m, "import later from './migrations/accounts/later.sql' with { type: 'text' }\nimport")
    .replace(/(files: \[accountsFirst[^\]]*)\]/, '$1, later]')
  if (after.split('later').length < 4) throw new Error('the list of migrations does not look as expected')
  writeFileSync(list, after)
}
