/** izvor openapi [--definition-schema]: prints the descriptions that the program publishes. */

import type { Command } from 'commander'
import { describeService } from '../http/openapi/description.ts'
import { definitionSchema } from '../ingest/definition/definition.ts'
import type { Cli } from './cli.ts'
import { printJson } from './print.ts'
import { serviceAddress } from './service-address.ts'
import { addSettingOptions, readSettings } from './settings.ts'

export function addOpenapi(program: Command, cli: Cli): void {
  const command = program
    .command('openapi')
    .description('Print the OpenAPI description of the service, as JSON.')
    .option('--definition-schema', 'print the JSON Schema of definition files instead')
  addSettingOptions(command, { host: 'address', port: 'number' }).action(
    (options: { definitionSchema?: true }) => {
      const { values } = readSettings(cli, options)
      const description = options.definitionSchema
        ? definitionSchema
        : describeService(values.base_url ?? serviceAddress(values))
      printJson(cli, description)
    },
  )
}
