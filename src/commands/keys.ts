/** izvor keys …: the operator's API keys. */

import type { Command } from 'commander'
import type { Cli } from './cli/cli.ts'
import { addKeysDelete } from './keys/delete.ts'
import { addKeysList } from './keys/list.ts'
import { addKeysMint } from './keys/mint.ts'
import { addKeysRename } from './keys/rename.ts'
import { addKeysRevoke } from './keys/revoke.ts'
import { addKeysRotate } from './keys/rotate.ts'

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('Mint, list, rename, rotate, revoke and delete API keys.')
  addKeysMint(keys, cli)
  addKeysList(keys, cli)
  addKeysRename(keys, cli)
  addKeysRotate(keys, cli)
  addKeysRevoke(keys, cli)
  addKeysDelete(keys, cli)
}
