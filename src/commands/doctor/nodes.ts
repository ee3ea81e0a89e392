/** The parts that several nodes share: PostgreSQL, the object store, and the nodes themselves. */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { sha256 } from '../../base/crypto/sha256.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { hidePassword } from '../../db/postgres/database-away.ts'
import { Postgres } from '../../db/postgres/open.ts'
import { isLive, NodeTable } from '../../db/postgres/shared-catalog.ts'
import { openObjects } from '../../store/objects/open-objects.ts'
import { formatAmount } from '../cli/print.ts'
import { type Answer, fine, note, problem, type Site, warning } from './finding.ts'

/** A request waits for the database once, a call with a quota twice. */
const SLOW_MS = 5
const QUESTIONS = 20
/** Links of mails and ends of keys go by the clocks of nodes. */
const MOST_CLOCK_S = 5

/** Whether the database answers, how fast, and by which clock. Nothing without one. */
export async function checkDatabase({ config: { database_url: url }, program }: Site): Promise<Answer> {
  if (url === null) return
  try {
    using postgres = closing(await Postgres.open(url))
    const { version, ahead, median } = await measure(postgres)
    const shown = `${hidePassword(url)} (PostgreSQL ${version}) answers in ${median.toFixed(1)} ms`
    if (median > SLOW_MS)
      return warning(
        `${shown}, the median of ${QUESTIONS} questions.`,
        'Every call with a key waits for one answer of the database at least.',
        'move the nodes and the database into one network',
      )
    if (Math.abs(ahead) > MOST_CLOCK_S)
      return warning(
        `${shown}; its clock is ${Math.abs(ahead).toFixed(0)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
        'Ends of keys and of links, and the days of usage, go by the clocks of nodes.',
        'timedatectl set-ntp true   (on both machines)',
      )
    return fine(`${shown}, and its clock agrees.`)
  } catch (error) {
    return problem(
      `The database cannot be used: ${explainFailure(error)}.`,
      'Without it every call is answered with 503.',
      `${program} config   (shows database_url and where it comes from)`,
    )
  }
}

async function measure(postgres: Postgres) {
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
export async function checkObjectStore({ config, folder, program }: Site): Promise<Answer> {
  if (config.object_store === null) return
  try {
    const objects = openObjects(folder, config)
    if (objects === null) return
    using opened = closing(objects)
    const { store } = opened
    using work = releasing(folder.claimWorkFolder())
    const bytes = randomBytes(1000)
    const path = join(work.path, 'object')
    writeFileSync(path, bytes)
    const key = `doctor/${bytes.toString('hex', 0, 8)}`
    const digest = { bytes: bytes.length, sha256: Buffer.from(sha256(bytes)).toString('hex') }
    await store.put(key, path, digest)
    await store.get(key, join(work.path, 'again'), digest)
    await store.delete(key)
    return fine(`${store.name} takes an object, gives it back and deletes it.`)
  } catch (error) {
    return problem(
      `The object store cannot be used: ${explainFailure(error)}.`,
      'Nothing can be published, and versions that a node has not fetched are not served.',
      `${program} config   (shows object_store and its endpoint; credentials are in AWS_*)`,
    )
  }
}

/** Which nodes run, and whether all serve what is published. Nothing without a database. */
export async function checkNodes({ config: { database_url: url }, program }: Site): Promise<Answer> {
  if (url === null) return
  using postgres = closing(await Postgres.open(url))
  const live = (await new NodeTable(postgres).list()).filter(isLive)
  if (live.length === 0)
    return note('No node is running.', 'Nobody serves what is published.', `${program} serve`)
  const behind = live.flatMap(({ name, waitsFor }) =>
    Object.entries(waitsFor).map(([dataset, reason]) => `${name} has no ${dataset} (${reason})`),
  )
  if (behind.length > 0)
    return warning(
      `Not every node serves what is published: ${[...new Set(behind)].join('; ')}.`,
      'These nodes serve the version before.',
      `${program} datasets verify   (names objects that are missing or damaged)`,
    )
  const programs = new Set(live.map((node) => node.program))
  const names = [...new Set(live.map(({ name }) => name))]
  const all = `${formatAmount(names.length, 'node')} (${names.join(', ')})`
  if (programs.size === 1) return fine(`${all} serve all that is published.`)
  return note(
    `${all} run different builds of the program: ${[...programs].join(', ')}.`,
    'That is meant for the time of an upgrade only.',
    'install the same program on all nodes',
  )
}
