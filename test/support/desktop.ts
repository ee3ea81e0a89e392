/** Starts the program as a file manager does: no terminal, a display, a home folder, and a browser that notes what it opens. */

import { onTestFinished } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandOf, launch } from '../journeys/program.ts'
import { tempDir } from './temp-dir.ts'
import { until } from './until.ts'

interface Desktop {
  readonly home: string
  /** The folder for the data. */
  readonly data: string
  /** Starts it; `opened` resolves with the address that the browser is given. */
  start(...args: readonly string[]): {
    readonly child: ReturnType<typeof launch>
    readonly opened: Promise<string>
  }
  /** Everything started so far, to be ended. */
  end(): Promise<void>
}

/** @param home an empty folder */
function desktopIn(home: string): Desktop {
  const opened = join(home, 'opened')
  const browser = join(home, 'a browser')
  const share = join(home, 'share')
  mkdirSync(opened, { recursive: true })
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf %s "$1" > '${opened}/'$$.new && mv '${opened}/'$$.new '${opened}/'$PPID\n`,
  )
  chmodSync(browser, 0o700)
  const env = {
    HOME: home,
    XDG_DATA_HOME: share,
    DISPLAY: ':0',
    BROWSER: browser,
    LANG: 'ro_RO.UTF-8',
    LC_ALL: '',
  }
  const children: ReturnType<typeof launch>[] = []
  return {
    home,
    data: join(share, 'izvor'),
    start(...args) {
      const child = launch(args, { env, cwd: home })
      children.push(child)
      const note = join(opened, String(child.pid))
      const find = async () => {
        await until(() => existsSync(note) || child.exitCode !== null)
        if (existsSync(note)) return readFileSync(note, 'utf8')
        throw new Error(`${commandOf(args).join(' ')} opened no browser: ${await child.stderr.text()}`)
      }
      return { child, opened: find() }
    },
    async end() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.exited))
    },
  }
}

/** What the form in the opened file sends, and where to. */
export function formOf(opened: string): { readonly action: string; readonly fields: URLSearchParams } {
  const html = readFileSync(fileURLToPath(opened), 'utf8')
  const fields = [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
  return { action: /action="([^"]+)"/.exec(html)![1]!, fields: new URLSearchParams(fields) }
}

/** A desktop for one test, whose programs end with it. */
export function onDesktop(): Desktop {
  const desktop = desktopIn(join(tempDir(), 'acasă la mine'))
  onTestFinished(() => desktop.end())
  return desktop
}
