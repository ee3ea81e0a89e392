/** Starts a script of `processes/` in a separate process. */

import { join } from 'node:path'

/** Runs a script to its end. @returns standard output; throws with standard error when it fails. */
export async function runScript(name: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'processes', name), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${name}: ${errors}`)
  return output
}

/** Starts a script and waits for its first line, which is returned with the running process. */
export async function startScript(name: string, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'processes', name), ...args], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  return { child, firstLine: text.slice(0, text.indexOf('\n')) }
}
