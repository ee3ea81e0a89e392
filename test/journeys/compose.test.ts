/** The proxy in the example with several nodes works unchanged. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, serve } from './program.ts'
import { ask, CADDY, startCaddyOfNodes } from './proxy.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

test.skipIf(CADDY === null)(
  'the example proxy answers on localhost, even after one of the nodes has stopped',
  async () => {
    const data = join(tempDir(), 'data')
    await mint(data)
    // Two services on one folder serve the same data, as nodes do.
    const nodes = [await serve(data), await serve(data)] as const
    const hosts = nodes.map(({ address }) => new URL(address).host) as [string, string]
    const site = await startCaddyOfNodes(hosts)
    const statusOf = async () => (await ask(`${site}/health/ready`)).status
    expect(await statusOf()).toBe(200)
    nodes[0].signal('SIGKILL')
    await nodes[0].exited
    for (let request = 0; request < 4; request++) expect(await statusOf()).toBe(200)
  },
)
