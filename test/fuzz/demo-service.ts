/** The program with its sample data and a key, for tests of a whole service. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutSettings } from '../support/child-environment.ts'

export interface DemoService {
  readonly address: string
  readonly key: string
  /** A command of the program on the demo's data, such as `users list`. @throws Error when it fails */
  readonly command: (...words: string[]) => Promise<void>
  /** What the demo logged and printed. */
  readonly output: () => string
  /** Stops the demo. @returns its exit code */
  readonly stop: () => Promise<number>
}

const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')

/**
 * Starts `demo` in a new folder: the executable that `IZVOR_BINARY` names, or the sources.
 * @param settings environment variables of settings
 */
export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<DemoService> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-demo-'))
  const binary = process.env.IZVOR_BINARY
  const program = binary ? [binary] : [process.execPath, MAIN]
  const child = Bun.spawn([...program, 'demo', '--port', '0', '--data', join(folder, 'data')], {
    ...{ env: { ...withoutSettings(), ...settings }, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  })
  let output = ''
  const { address, key } = await new Promise<{ address: string; key: string }>((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of child.stdout) {
        output += decoder.decode(chunk, { stream: true })
        const [, found] = /"address":"([^"]+)"/.exec(output) ?? []
        const [, secret] = /Demo key, shown only once: (\S+)/.exec(output) ?? []
        if (found && secret) resolve({ address: found, key: secret })
      }
      reject(new Error(`the demo ended before it listened:\n${output}`))
    }
    void read()
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await child.exited
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  const command = async (...words: string[]) => {
    const run = Bun.spawn([...program, ...words, '--data', join(folder, 'data')], {
      ...{ env: withoutSettings(), stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    })
    const said = await new Response(run.stderr).text()
    if ((await run.exited) !== 0) throw new Error(`izvor ${words.join(' ')}: ${said}`)
  }
  return { address, key, command, output: () => output, stop }
}
