/** Why Izvor could not be opened, in the browser: a file manager shows no messages. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OPENING_TEXTS } from '../../pages/texts/desktop.ts'
import type { Cli } from '../cli/cli.ts'
import { desktopLanguage, openInBrowser } from './browser.ts'
import { readableFolder } from './entry-file.ts'

/** A browser that starts for it has read it by then. */
const READ_MS = 10_000

/** Never fails. */
export async function showFailure(cli: Cli, reason: string): Promise<void> {
  const language = desktopLanguage(cli)
  const title = OPENING_TEXTS[language].failed
  const page = `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<h1>${title}</h1>
<p lang="en">${Bun.escapeHTML(reason)}</p>
</html>
`
  try {
    const folder = mkdtempSync(join(readableFolder() ?? tmpdir(), 'izvor-'))
    const path = join(folder, 'Izvor.html')
    writeFileSync(path, page, { mode: 0o600 })
    if (await openInBrowser(cli, pathToFileURL(path).href)) await Bun.sleep(READ_MS)
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The exit code says it, too.
  }
}
