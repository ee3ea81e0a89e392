/** Shows in the browser why Izvor could not be opened: a file manager shows no messages. */

import { tmpdir } from 'node:os'
import { terminalLanguage } from '../../base/text/language.ts'
import { OPENING_TEXTS } from '../../pages/welcome/texts/welcome-texts.ts'
import type { Cli } from '../cli/cli.ts'
import { showPage } from './shown-page.ts'

/** By then even a browser that had to start has read the page. */
const READ_MS = 10_000

/** Never throws. */
export async function showFailure(cli: Cli, reason: string): Promise<void> {
  const language = terminalLanguage(cli.env)
  const title = OPENING_TEXTS[language].failed
  const body = `<h1>${title}</h1>\n<p lang="en">${Bun.escapeHTML(reason)}</p>`
  try {
    await showPage(cli, tmpdir(), { language, title, body }, () => Bun.sleep(READ_MS))
  } catch {
    // The exit code reports the failure, too.
  }
}
