/** What is served of a dataset at `/v1`. */

import type { Site } from './chromium.ts'

export type ServedRow = Readonly<Record<string, string | number | boolean | null>>

export interface Served {
  readonly rows: number
  readonly first: ServedRow
  readonly last: ServedRow
  /** All rows, by an export. */
  all(): Promise<readonly ServedRow[]>
}

/** @param path of the dataset, such as `/v1/economy/prices` */
export async function servedAt(
  { address, key }: Pick<Site, 'address' | 'key'>,
  path: string,
): Promise<Served> {
  const call = async (query: string) => {
    const answer = await fetch(address + path + query, { headers: { authorization: `Bearer ${key}` } })
    if (answer.status !== 200) throw new Error(`${path}${query}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const list = async (query: string): Promise<{ data: ServedRow[]; pagination: { total: number } }> =>
    (await call(query)).json()
  // Rows of large datasets are counted only on request.
  const { data, pagination } = await list('?limit=1&count=true')
  const end = await list(`?limit=1&count=false&offset=${Math.max(0, pagination.total - 1)}`)
  return {
    rows: pagination.total,
    first: data[0] ?? {},
    last: end.data[0] ?? {},
    async all() {
      const lines = (await (await call('/export?format=ndjson')).text()).trim().split('\n')
      return lines.map((line) => JSON.parse(line))
    },
  }
}
