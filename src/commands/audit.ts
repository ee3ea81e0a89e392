/** izvor audit …: the log of security events. */

import type { Command } from 'commander'
import { addAuditList } from './audit/list.ts'
import type { Cli } from './cli/cli.ts'

export function addAudit(program: Command, cli: Cli): void {
  const audit = program
    .command('audit')
    .description('Read the audit log: operator and account security events.')
  addAuditList(audit, cli)
}
