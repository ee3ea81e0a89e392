/** The Model Context Protocol on standard input and output, with the clients of the SDK and of Python, as assistants start it. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { withoutSettings } from '../support/child-environment.ts'
import { findPython } from '../support/python.ts'
import { tempDir } from '../support/temp-dir.ts'
import { commandOf, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

/** A data folder with one dataset. */
async function publish(): Promise<string> {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'towns.csv')
  await Bun.write(file, 'town,county,people\nAiud,Alba,22876\nCluj-Napoca,Cluj,324576\nDej,Cluj,33497\n')
  await succeed(['ingest', file, '--id', 'towns', '--domain', 'geospatial', '--data', data])
  return data
}

test('a local assistant finds data, reads its columns and gets sums', async () => {
  const data = await publish()
  const [command, ...args] = commandOf(['mcp', '--data', data]) as [string, ...string[]]
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command, args, env: withoutSettings() as Record<string, string> }),
  )
  try {
    const ask = async (name: string, given: Record<string, unknown>) =>
      // biome-ignore lint/suspicious/noExplicitAny: answers are read without a schema.
      (await client.callTool({ name, arguments: given })).structuredContent as any
    expect((await ask('search_datasets', {})).datasets[0].dataset).toBe('towns')
    expect((await ask('describe_dataset', { dataset: 'towns' })).columns).toHaveLength(3)
    const summed = { dataset: 'towns', group_by: ['county'], measures: ['sum(people)'] }
    expect((await ask('aggregate', summed)).groups[1]).toEqual({ county: 'Cluj', sum_people: 358073 })
    const wrong = await client.callTool({ name: 'query_rows', arguments: { dataset: 'towns', sort: ['x'] } })
    expect(wrong.isError).toBe(true)
  } finally {
    await client.close()
  }
})

const python = findPython('mcp')

/** Asks five questions over either transport and prints the answers. */
const SESSION = `
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

way, rest = sys.argv[1], sys.argv[2:]

async def ask(streams):
    async with ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        names = [tool.name for tool in (await session.list_tools()).tools]
        async def call(name, given):
            return json.loads((await session.call_tool(name, given)).content[0].text)
        found = await call("search_datasets", {"q": "towns"})
        dataset = found["datasets"][0]["dataset"]
        columns = await call("describe_dataset", {"dataset": dataset})
        rows = await call("query_rows", {"dataset": dataset, "filters": {"county": "Cluj"}, "sort": ["-people"]})
        sums = await call("aggregate", {"dataset": dataset, "measures": ["sum(people)"]})
        values = await call("facets", {"dataset": dataset, "columns": ["county"]})
        print(json.dumps({
            "names": names,
            "columns": [column["name"] for column in columns["columns"]],
            "first": rows["rows"][0]["town"], "total": rows["total"],
            "sum": sums["groups"][0]["sum_people"],
            "top": values["facets"][0]["values"][0],
        }))

async def main():
    if way == "stdio":
        async with stdio_client(StdioServerParameters(command=rest[0], args=rest[1:])) as streams:
            await ask(streams)
    else:
        import httpx2
        headers = {"authorization": f"Bearer {rest[1]}"} if rest[1] else {}
        async with httpx2.AsyncClient(headers=headers) as http:
            async with streamable_http_client(rest[0], http_client=http) as streams:
                await ask(streams)

asyncio.run(main())
`

async function argumentsOverHttp(data: string, way: string): Promise<string[]> {
  const { address } = await serve(data)
  return [`${address}/mcp`, way.endsWith('key') ? (await mint(data)).secret : '']
}

const WAYS = ['stdio', 'http with a key', 'http without one'] as const

test.skipIf(python === null).each(WAYS.map((way) => [way]))(
  'the Python client gets answers to five questions: %s',
  async (way) => {
    const data = await publish()
    const args = way === 'stdio' ? commandOf(['mcp', '--data', data]) : await argumentsOverHttp(data, way)
    const child = Bun.spawn([python!, '-c', SESSION, way.split(' ')[0]!, ...args], {
      ...{ stdout: 'pipe', stderr: 'pipe', env: withoutSettings() },
    })
    const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()])
    if ((await child.exited) !== 0) throw new Error(complaint)
    expect(JSON.parse(output)).toEqual({
      names: ['search_datasets', 'describe_dataset', 'query_rows', 'aggregate', 'facets'],
      columns: ['town', 'county', 'people'],
      ...{ first: 'Cluj-Napoca', total: 2, sum: 380949, top: { value: 'Cluj', count: 2 } },
    })
  },
)
