/** izvor openapi [--definition-schema]: prints the descriptions that the program publishes. */

import type { Command } from 'commander'
import { definitionSchema } from '../read/definition/definition.ts'
import { describeService } from '../server/description/service-description.ts'
import { ROUTES } from '../server/routes.ts'
import type { Cli } from './cli/cli.ts'
import { printJson } from './cli/print.ts'
import { serviceAddress } from './cli/service-address.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

export function addOpenapi(program: Command, cli: Cli): void {
  const command = program
    .command('openapi')
    .description('Print the OpenAPI description of the service, as JSON.')
    .option('--definition-schema', 'print the JSON Schema of definition files instead')
  addSettingOptions(command, { host: 'address', port: 'number' }).action(
    async (options: { definitionSchema?: true }) => {
      const { values } = readSettings(cli, options)
      const description = options.definitionSchema
        ? definitionSchema
        : await describeService(ROUTES, values.base_url ?? serviceAddress(values))
      printJson(cli, description)
    },
  )
}
