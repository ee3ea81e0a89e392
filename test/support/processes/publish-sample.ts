/**
 * A second process that publishes one more version of a dataset, as the operator's ingest does; with `crash` it is killed
 * after the file is moved and before the catalog knows it.
 */

import { join } from 'node:path'
import { Catalog } from '../../../src/store/catalog/catalog.ts'
import { DataDir } from '../../../src/store/files/data-dir.ts'
import { publishSample, versionRecord, writeSample } from '../version.ts'

const [root = '', id = '', rows = '3', crash] = process.argv.slice(2)
const dataDir = new DataDir(root)
const catalog = Catalog.open(dataDir)
if (crash === 'crash') await publishAndDie()
process.stdout.write(String(await publishSample(catalog, dataDir, { id, rows: Number(rows) })))
catalog.close()

async function publishAndDie(): Promise<void> {
  const version = await catalog.reserveVersion(id)
  const path = join(dataDir.claimWorkFolder().path, 'version.db')
  await catalog.publish(versionRecord({ id }, version, writeSample(path, id, version)), () => {
    dataDir.placeVersion(path, id, version)
    process.kill(process.pid, 'SIGKILL')
  })
}
