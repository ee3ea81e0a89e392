/** izvor backup verify FILE [--json]: reads a backup and compares every byte with its manifest. */

import type { Command } from 'commander'
import { checkBackup } from '../../upkeep/backup/check.ts'
import { requireKnownSchema } from '../../upkeep/backup/manifest.ts'
import { openSource } from '../../upkeep/backup/source.ts'
import type { Cli } from '../cli/cli.ts'
import { formatAmount, formatBytes, printJson } from '../cli/print.ts'

export function addBackupVerify(backup: Command, cli: Cli): void {
  backup
    .command('verify')
    .description('Read a backup again and compare it with its manifest; exit code 6 means damage.')
    .argument('<file>', 'an archive, a folder, a folder of backups (its newest), or - for standard input')
    .option('--json', 'print JSON')
    .action((file: string, options: { json?: true }) => verify(cli, file, options.json === true))
}

async function verify(cli: Cli, file: string, json: boolean): Promise<void> {
  const source = openSource(file)
  const manifest = await checkBackup(source.entries, { label: source.label })
  requireKnownSchema(source.label, manifest)
  const { created_at, program, schema, files, damaged } = manifest
  const bytes = files.reduce((sum, part) => sum + part.bytes, 0)
  if (json) {
    printJson(cli, { target: source.label, created_at, program, schema, files: files.length, bytes, damaged })
    return
  }
  cli.print(
    `${source.label}: whole, of ${created_at}, ${formatAmount(files.length, 'file')}, ${formatBytes(bytes)}\n`,
  )
  for (const { name, problem } of damaged) cli.note(`It was backed up as it was: ${name}: ${problem}`)
}
