/** A page in a temporary file that the browser opens and only its user can read. */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atEnd } from '../../base/closing.ts'
import type { Language } from '../../base/text/language.ts'
import type { Cli } from '../cli/cli.ts'
import { openInBrowser } from './browser.ts'

/** Browsers from a snap cannot read hidden folders and have their own /tmp. Undefined where there are no snaps. */
const readableFolder = () => (existsSync('/snap/bin') ? homedir() : undefined)

/**
 * Opens a page in the browser, and removes its file when `untilRead` resolves.
 * @param folder that the browser may read @param page with its body as HTML
 */
export async function showPage(
  cli: Cli,
  folder: string,
  page: { readonly language: Language; readonly title: string; readonly body: string },
  untilRead: () => Promise<unknown>,
): Promise<void> {
  const path = join(readableFolder() ?? folder, `Izvor-${crypto.randomUUID().slice(0, 8)}.html`)
  using _ = atEnd(() => rmSync(path, { force: true }))
  const html = `<!doctype html>
<html lang="${page.language}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>${page.title}</title>
${page.body}
</html>
`
  writeFileSync(path, html, { mode: 0o600, flag: 'wx' })
  if (!(await openInBrowser(cli, pathToFileURL(path).href)))
    cli.note(`No browser could be started. Open this file in one, within a minute: ${path}`)
  await untilRead()
}
