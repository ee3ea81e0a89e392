/**
 * The file with which the browser signs the owner in (`accounts/people/owner.ts`): a form that sends a token. Only its
 * owner can read it, and it goes when the token is used.
 */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isEntryOpen, issueEntry } from '../../accounts/people/owner.ts'
import type { User } from '../../accounts/people/user.ts'
import { atEnd, releasing } from '../../base/closing.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import { OPENING_TEXTS } from '../../pages/texts/desktop.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Cli } from '../cli/cli.ts'
import { openInBrowser } from './browser.ts'

const LOOK_MS = 200

/** Where the browser goes. */
export interface Destination {
  /** Of the service. */
  readonly address: string
  /** A path on it. */
  readonly next: string
}

/** Opens the browser at a service, signed in as its owner. Returns when it is, or could have been. */
export async function letOwnerIn(
  cli: Cli,
  folder: DataDir,
  db: AccountsDb,
  owner: Pick<User, 'id' | 'language'>,
  to: Destination,
): Promise<void> {
  const { tokenId, token } = await issueEntry(db, owner, cli.now())
  using work = releasing(folder.claimWorkFolder())
  const path = join(readableFolder() ?? work.path, `Izvor-${tokenId.slice(0, 8)}.html`)
  using _ = atEnd(() => rmSync(path, { force: true }))
  writeFileSync(path, entryPage(owner, to, token), { mode: 0o600, flag: 'wx' })
  if (!(await openInBrowser(cli, pathToFileURL(path).href)))
    cli.note(`No browser could be started. Open this file in one, within a minute: ${path}`)
  while (await isEntryOpen(db, tokenId, cli.now())) await Bun.sleep(LOOK_MS)
}

/** Browsers from a snap read no hidden folders and have a /tmp of their own. Undefined where there are no snaps. */
export function readableFolder(): string | undefined {
  return existsSync('/snap/bin') ? homedir() : undefined
}

function entryPage(
  { language }: Pick<User, 'language'>,
  { address, next }: Destination,
  token: string,
): string {
  const texts = OPENING_TEXTS[language]
  const field = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${Bun.escapeHTML(value)}">`
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Izvor</title>
<form method="post" action="${Bun.escapeHTML(address)}/open">
${field('token', token)}
${field('next', next)}
<p>${texts.opening}</p>
<button>${texts.open}</button>
</form>
<script>document.forms[0].submit()</script>
</html>
`
}
