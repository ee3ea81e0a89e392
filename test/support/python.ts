/** Runs Python with the packages that data users have, to read what we write. */

import { findProgram } from './find-program.ts'

/** `READERS_PYTHON`, else the system's Python, if it has all of the packages; else null, with a message. */
export function findPython(...packages: readonly string[]): string | null {
  const python = process.env.READERS_PYTHON ?? findProgram('python3')
  if (python === null) return null
  const script = packages.map((name) => `import ${name}`).join('\n')
  if (Bun.spawnSync([python, '-c', script], { stderr: 'ignore' }).success) return python
  console.warn(`skipped: ${python} does not have all of ${packages.join(', ')}`)
  return null
}

/** The Python whose DuckDB reads over HTTP with the extension in `DUCKDB_HTTPFS`; else null, with a message. */
export function findRemoteDuckDb(): string | null {
  const python = process.env.DUCKDB_HTTPFS === undefined ? null : findPython('duckdb')
  if (python === null)
    console.warn('skipped: DuckDB, or the file DUCKDB_HTTPFS of its extension, is not here')
  return python
}

/**
 * Runs a script and parses its output as JSON. @throws Error when it fails
 * @param args as `sys.argv[1:]`
 */
export function runPython<T>(python: string, script: string, ...args: readonly string[]): T {
  const { success, stdout, stderr } = Bun.spawnSync([python, '-c', script, ...args])
  if (!success) throw new Error(`the script failed: ${stderr.toString()}`)
  return JSON.parse(stdout.toString())
}
