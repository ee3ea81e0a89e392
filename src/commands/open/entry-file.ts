/**
 * The file with which the browser signs the owner in (`accounts/people/owner.ts`): a form that sends a token. It is
 * removed when the token is used.
 */

import { isEntryOpen, issueEntry } from '../../accounts/people/owner.ts'
import type { User } from '../../accounts/people/user.ts'
import { releasing } from '../../base/closing.ts'
import type { AccountsDb } from '../../db/accounts.ts'
import { OPENING_TEXTS } from '../../pages/welcome/texts/welcome-texts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Cli } from '../cli/cli.ts'
import { showPage } from './shown-page.ts'

const LOOK_MS = 200

/**
 * Opens the browser at a service, signed in as its owner. Returns when the token is used or has expired.
 * @param to the address of the service, and a path on it
 */
export async function letOwnerIn(
  cli: Cli,
  folder: DataDir,
  db: AccountsDb,
  owner: Pick<User, 'id' | 'language'>,
  to: { readonly address: string; readonly next: string },
): Promise<void> {
  const { language } = owner
  const { tokenId, token } = await issueEntry(db, owner, cli.now())
  using work = releasing(folder.claimWorkFolder())
  const page = { language, title: 'Izvor', body: formOf({ ...to, token }, OPENING_TEXTS[language]) }
  await showPage(cli, work.path, page, async () => {
    while (await isEntryOpen(db, tokenId, cli.now())) await Bun.sleep(LOOK_MS)
  })
}

function formOf(
  { address, next, token }: { readonly address: string; readonly next: string; readonly token: string },
  texts: (typeof OPENING_TEXTS)['en'],
): string {
  return `<form method="post" action="${address}/open">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="next" value="${next}">
<p>${texts.opening}</p>
<button>${texts.open}</button>
</form>
<script>document.forms[0].submit()</script>`
}
