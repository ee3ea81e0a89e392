/** The words of a command line as a shell splits them, for tests that type the command a message advises. */

import { expect } from 'bun:test'

export function splitArguments(line: string): string[] {
  const { exitCode, stdout } = Bun.spawnSync(['sh', '-c', `printf '%s\\0' ${line}`])
  expect(exitCode).toBe(0)
  return stdout.toString().split('\0').slice(0, -1)
}
