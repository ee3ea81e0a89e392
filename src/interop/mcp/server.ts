/** The tools over the Model Context Protocol, with its official SDK. */

import type { McpServer } from '@modelcontextprotocol/server'
import packageJson from '../../../package.json' with { type: 'json' }
import type { ApiError } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { waitAfter } from '../../http/errors.ts'
import { fitError, type ToolResult } from './answers.ts'
import { readArguments, type ToolArguments } from './arguments.ts'
import { INSTRUCTIONS, TOOLS, type ToolName } from './schemas.ts'
import { aggregate, describeDataset, facets, queryRows, searchDatasets, type ToolReader } from './tools.ts'

const RUN: Readonly<
  Record<ToolName, (reader: ToolReader, given: ToolArguments) => ToolResult | Promise<ToolResult>>
> = {
  search_datasets: searchDatasets,
  describe_dataset: describeDataset,
  query_rows: queryRows,
  aggregate,
  facets,
}

let loading: ReturnType<typeof load> | undefined

/** Loads the SDK and compiles the schemas, at the first call and in turns: together they take 0.1 s. */
export function loadSdk() {
  loading ??= load()
  return loading
}

async function load() {
  const sdk = await import('@modelcontextprotocol/server')
  const schemas = []
  for (const name of Object.keys(TOOLS) as ToolName[]) {
    const { input, output } = TOOLS[name]
    // Loading the SDK took a turn, and compiling a schema takes one.
    await ownRound()
    const taken = sdk.fromJsonSchema(input)['~standard']
    await ownRound()
    schemas.push({
      name,
      // Takes everything: `readArguments` refuses, so that every refusal has its code and its hint.
      input: { '~standard': { ...taken, validate: (value: unknown) => ({ value }) } },
      output: sdk.fromJsonSchema(output),
      /** The first fault of the arguments by their schema. */
      check(given: unknown) {
        const found = taken.validate(given)
        return 'issues' in found ? found.issues?.[0]?.message : undefined
      },
    })
  }
  await ownRound()
  return { ...sdk, schemas }
}

export function createToolServer(
  { McpServer, schemas }: Awaited<ReturnType<typeof load>>,
  reader: ToolReader,
): McpServer {
  const server = new McpServer(
    { name: 'izvor', title: 'Izvor', version: packageJson.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  for (const { name, input, output, check } of schemas) {
    const { title, description, input: schema } = TOOLS[name]
    const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    server.registerTool(
      name,
      { title, description, inputSchema: input, outputSchema: output, annotations },
      async (given) => {
        try {
          return await RUN[name](reader, readArguments(given, schema, check))
        } catch (error) {
          return toToolError(reader.refuse(error, ''))
        }
      },
    )
  }
  return server
}

/** A refusal for the model: what is wrong, where, and what may have been meant. */
export function toToolError(refusal: ApiError): ToolResult {
  const { code, message, detail } = refusal
  const wait = waitAfter(refusal)
  return fitError(detail?.length ?? 0, (shown) => ({
    code,
    message,
    ...(detail && { detail: detail.slice(0, shown) }),
    ...(wait && { retry_after_s: wait }),
  }))
}
