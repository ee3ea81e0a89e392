/** izvor backup verify FILE [--json]: reads a backup and holds every byte against its manifest. */

import type { Command } from 'commander'
import { checkBackup } from '../../backup/check.ts'
import { refuseNewerSchema } from '../../backup/manifest.ts'
import { openSource } from '../../backup/source.ts'
import type { Cli } from '../cli.ts'
import { formatAmount, formatBytes, printJson } from '../print.ts'

export function addBackupVerify(backup: Command, cli: Cli): void {
  backup
    .command('verify')
    .description('Read a backup again and compare it with its manifest; 6 is the exit code for damage.')
    .argument('<file>', 'an archive, a folder, a folder of backups (its newest), or - for standard input')
    .option('--json', 'print JSON')
    .action((file: string, options: { json?: true }) => verify(cli, file, options.json === true))
}

async function verify(cli: Cli, file: string, json: boolean): Promise<void> {
  const source = openSource(file)
  const manifest = await checkBackup(source.entries, { label: source.label })
  refuseNewerSchema(source.label, manifest)
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
