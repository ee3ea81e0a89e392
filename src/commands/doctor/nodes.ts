/** The parts that several nodes share: PostgreSQL, the object store, and the nodes themselves. */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { sha256 } from '../../base/crypto/sha256.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { hidePassword } from '../../db/postgres/database-away.ts'
import { Postgres } from '../../db/postgres/open.ts'
import { isLive, NodeTable, type SeenNode } from '../../db/postgres/shared-catalog.ts'
import { openObjects } from '../../store/objects/open-objects.ts'
import type { VersionObjects } from '../../store/objects/version-objects.ts'
import { formatAmount } from '../cli/print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'

/** A request waits for the database once, a call with a quota twice. */
const SLOW_MS = 5
const QUESTIONS = 20
/** Links of mails and ends of keys go by the clocks of nodes. */
const MOST_CLOCK_S = 5

/** Whether the database answers, how fast, and by which clock. Nothing without one. */
export async function checkDatabase({ loaded, program }: Site): Promise<Finding[]> {
  const url = loaded.values.database_url
  if (url === null) return []
  try {
    using postgres = closing(await Postgres.open(url))
    const { version, ahead, median } = await measure(postgres)
    const shown = `${hidePassword(url)} (PostgreSQL ${version}) answers in ${median.toFixed(1)} ms`
    if (median > SLOW_MS) {
      return finding('database', 'warning', {
        what: `${shown}, the median of ${QUESTIONS} questions.`,
        why: 'Every call with a key waits for one answer of the database at least.',
        remedy: 'move the nodes and the database into one network',
      })
    }
    if (Math.abs(ahead) > MOST_CLOCK_S) {
      return finding('database', 'warning', {
        what: `${shown}; its clock is ${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
        why: 'Ends of keys and of links, and the days of usage, go by the clocks of nodes.',
        remedy: 'timedatectl set-ntp true   (on both machines)',
      })
    }
    return fine('database', `${shown}, and its clock agrees.`)
  } catch (error) {
    return finding('database', 'problem', {
      what: `The database cannot be used: ${explainFailure(error)}.`,
      why: 'Without it every call is answered with 503.',
      remedy: `${program} config   (shows database_url and where it comes from)`,
    })
  }
}

async function measure(postgres: Postgres): Promise<{ version: string; ahead: number; median: number }> {
  const took: number[] = []
  let ahead = 0
  let version = ''
  for (let question = 0; question < QUESTIONS; question++) {
    const began = performance.now()
    const { rows } = await postgres.ask(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, current_setting('server_version')`,
    )
    took.push(performance.now() - began)
    ahead = (Number(rows[0]![0]) - Date.now()) / 1000
    version = String(rows[0]![1])
  }
  return { version, ahead, median: took.toSorted((a, b) => a - b)[QUESTIONS / 2]! }
}

/** Whether an object can be written, read and deleted. Nothing without a store. */
export async function checkObjectStore({ loaded, folder, program }: Site): Promise<Finding[]> {
  if (loaded.values.object_store === null) return []
  try {
    const objects = openObjects(folder, loaded.values)
    if (objects === null) return []
    using store = closing(objects)
    await roundTrip(store, folder.claimWorkFolder())
    return fine('object store', `${store.store.name} takes an object, gives it back and deletes it.`)
  } catch (error) {
    return finding('object store', 'problem', {
      what: `The object store cannot be used: ${explainFailure(error)}.`,
      why: 'Nothing can be published, and versions that a node has not fetched are not served.',
      remedy: `${program} config   (shows object_store and its endpoint; credentials are in AWS_*)`,
    })
  }
}

async function roundTrip(
  { store }: VersionObjects,
  folder: ReturnType<Site['folder']['claimWorkFolder']>,
): Promise<void> {
  using work = releasing(folder)
  const bytes = randomBytes(1000)
  const path = join(work.path, 'object')
  writeFileSync(path, bytes)
  const key = `doctor/${bytes.toString('hex', 0, 8)}`
  const digest = { bytes: bytes.length, sha256: Buffer.from(sha256(bytes)).toString('hex') }
  await store.put(key, path, digest)
  await store.get(key, join(work.path, 'again'), digest)
  await store.delete(key)
}

/** Which nodes run, and whether all serve what is published. Nothing without a database. */
export async function checkNodes({ loaded, program }: Site): Promise<Finding[]> {
  const url = loaded.values.database_url
  if (url === null) return []
  using postgres = closing(await Postgres.open(url))
  const live = (await new NodeTable(postgres).list()).filter(isLive)
  if (live.length === 0) {
    return finding('nodes', 'note', {
      what: 'No node is running.',
      why: 'Nobody serves what is published.',
      remedy: `${program} serve`,
    })
  }
  const behind = [...new Set(live.flatMap((node) => waitsOf(node)))]
  if (behind.length > 0) {
    return finding('nodes', 'warning', {
      what: `Not every node serves what is published: ${behind.join('; ')}.`,
      why: 'These nodes serve the version before.',
      remedy: `${program} datasets verify   (names objects that are missing or damaged)`,
    })
  }
  const programs = new Set(live.map((node) => node.program))
  const names = [...new Set(live.map(({ name }) => name))]
  const all = `${formatAmount(names.length, 'node')} (${names.join(', ')})`
  if (programs.size > 1) {
    return finding('nodes', 'note', {
      what: `${all} run different builds of the program: ${[...programs].join(', ')}.`,
      why: 'That is meant for the time of an upgrade only.',
      remedy: `install the same program on all nodes`,
    })
  }
  return fine('nodes', `${all} serve all that is published.`)
}

function waitsOf({ name, waitsFor }: SeenNode): string[] {
  return Object.entries(waitsFor).map(([dataset, reason]) => `${name} has no ${dataset} (${reason})`)
}
