/** The wait of a publication for the other nodes. */

import { isLive, type NodeTable, type SeenNode } from '../../../db/postgres/node-table.ts'
import type { LateNode } from '../home.ts'
import type { Stamp } from './mirror-copy.ts'

const PATIENCE_MS = 10_000
const LOOK_MS = 200

/**
 * Waits until all live nodes serve a dataset as it was changed last, for a bounded time.
 * @returns those that do not when it is over @throws DatabaseAway
 */
export async function waitForNodes(
  nodes: NodeTable,
  change: Pick<Stamp, 'id' | 'number'>,
  patienceMs = PATIENCE_MS,
): Promise<readonly LateNode[]> {
  const end = performance.now() + patienceMs
  for (;;) {
    const late = (await nodes.list()).filter(isLive).flatMap((node) => nameLate(node, change))
    if (late.length === 0 || performance.now() >= end) return late
    await Bun.sleep(LOOK_MS)
  }
}

function nameLate(
  { name, revision, waitsFor }: SeenNode,
  { id, number }: Pick<Stamp, 'id' | 'number'>,
): LateNode[] {
  const reason = waitsFor[id]
  if (reason !== undefined) return [{ name, reason }]
  return revision >= number ? [] : [{ name, reason: 'it has not read the change yet' }]
}
