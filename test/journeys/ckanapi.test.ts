/** The package `ckanapi`, as people use it: the library by POST and by GET, and the command line. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { startTestApp, type TestApp } from '../support/app.ts'
import { findPython } from '../support/python.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

const PYTHON = findPython('ckanapi')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: 1_000_000 } })
  await app.publish({ ...TOWNS, publisher: 'Institutul Național' })
  await app.publish({ ...TOWNS, id: 'places', domain: 'economy' })
})
afterAll(() => app.stop())

const LIBRARY = `
import json, sys
from ckanapi import RemoteCKAN, NotAuthorized, NotFound, ValidationError

address, key, way = sys.argv[1:]
portal = RemoteCKAN(address, apikey=key or None, get_only=way == "GET")
package = portal.action.package_show(id="towns")
resource = [one for one in package["resources"] if one["datastore_active"]][0]["id"]
rows = []
while True:
    page = portal.action.datastore_search(resource_id=resource, limit=3, offset=len(rows), sort="town asc")
    if not page["records"]:
        break
    rows += page["records"]
filters = {"county": ["Cluj", "Alba"]}
few = portal.action.datastore_search(resource_id=resource, filters=json.dumps(filters) if way == "GET" else filters)

def kind(call):
    try:
        call()
    except (NotAuthorized, NotFound, ValidationError) as error:
        return type(error).__name__

print(json.dumps({
    "names": portal.action.package_list(),
    "found": portal.action.package_search(q="orase", fq="groups:economy")["count"],
    "rows": rows, "total": page["total"], "few": few["total"],
    "kinds": [
        kind(lambda: portal.action.package_show(id="nowhere")),
        kind(lambda: portal.action.datastore_search(resource_id=resource, sort="colour")),
        kind(lambda: RemoteCKAN(address, apikey="rok_wrong").action.package_list()),
    ],
}))
`

test.skipIf(PYTHON === null)('the library reads packages and all rows, and knows every refusal', async () => {
  const rows = (await app.get(`${TOWNS_PATH}?sort=town&limit=100`)).body.data
  for (const way of ['GET', 'POST']) {
    for (const key of ['', app.key]) {
      expect(await runScript(way, key)).toEqual({
        ...{ names: ['places', 'towns'], found: 1, rows, total: 10, few: 4 },
        kinds: ['NotFound', 'ValidationError', 'NotAuthorized'],
      })
    }
  }
})

test.skipIf(PYTHON === null)('the command line dumps every package and its columns', async () => {
  // The program starts itself again by name.
  const bin = dirname(PYTHON!)
  const command = [join(bin, 'ckanapi'), 'dump', 'datasets', '--all', '--datastore-fields', '-r', app.url]
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const dump = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore', env })
  const lines = (await new Response(dump.stdout).text()).trim().split('\n')
  expect([await dump.exited, lines.length]).toEqual([0, 2])
  const packages = lines.map((line) => JSON.parse(line))
  expect(packages.map(({ name }) => name)).toEqual(['places', 'towns'])
  expect(packages[0].resources[0].datastore_fields).toHaveLength(9)
})

/** Runs asynchronously, because the library waits for answers from this process. */
async function runScript(way: string, key: string): Promise<unknown> {
  const child = Bun.spawn([PYTHON!, '-c', LIBRARY, app.url, key, way], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  return JSON.parse(text)
}
