/** What clients of several nodes do, and what they expect of the answers. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster, Node } from './cluster.ts'

/** Everything that was seen. */
export class Findings {
  /** What must not happen. */
  readonly wrongs: string[] = []
  /** Answers by kind: `list 200`, `list broken`. */
  readonly answers = new Map<string, number>()

  note(kind: string, outcome: number | 'broken'): void {
    const name = `${kind} ${outcome}`
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
    if (typeof outcome === 'number' && outcome >= 500 && outcome !== 503)
      this.wrong(`${kind} was answered ${outcome}`)
  }

  wrong(what: string): void {
    if (this.wrongs.length < 100) this.wrongs.push(what)
  }

  /** How many calls there were, and how many got a 503 or no answer. */
  share(): { all: number; unavailable: number; broken: number } {
    const sum = (wanted: (name: string) => boolean) =>
      [...this.answers].reduce((total, [name, count]) => total + (wanted(name) ? count : 0), 0)
    return {
      all: sum(() => true),
      unavailable: sum((name) => name.endsWith(' 503')),
      broken: sum((name) => name.endsWith(' broken')),
    }
  }
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

const PATIENCE_MS = 8000

/** An answer, or undefined when the connection broke or nothing came in time; both are noted. */
async function ask(
  findings: Findings,
  kind: string,
  url: string,
  options: RequestInit = {},
): Promise<Reply | undefined> {
  try {
    const answer = await fetch(url, {
      ...options,
      keepalive: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await answer.text()
    findings.note(kind, answer.status)
    return { status: answer.status, body: parse(findings, kind, text) }
  } catch {
    findings.note(kind, 'broken')
    return undefined
  }
}

/** An answer that ended normally is complete. */
function parse(findings: Findings, kind: string, text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    findings.wrong(`the answer to "${kind}" is no JSON: ${text.slice(0, 200)}`)
    return {}
  }
}

function withKey(secret: string): RequestInit {
  return { headers: { authorization: `Bearer ${secret}` } }
}

export function anyOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!
}

/** Runs `turn` repeatedly until it is time to stop. */
async function repeat(goesOn: () => boolean, pauseMs: number, turn: () => Promise<void>): Promise<void> {
  while (goesOn()) {
    await turn()
    await Bun.sleep(pauseMs)
  }
}

const ROWS = 300

/** A table in which every row names the version, so that an answer from two versions is noticed. */
function tableOf(version: number): string {
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `${row + 1},${version},town ${(row * 7919 + version) % 1009}`,
  )
  return `row,edition,town\n${rows.join('\n')}\n`
}

interface ListBody {
  readonly data: readonly { readonly edition: number }[]
  readonly pagination: { readonly total: number }
}

/** Lists and exports: each complete, of one version, and never of an older one than the node gave before. */
export async function readLists(cluster: Cluster, secret: string, findings: Findings, goesOn: () => boolean) {
  await repeat(goesOn, 5, async () => {
    const node = anyOf(cluster.nodes)
    const url = `${node.address}/v1/geo/walk?limit=200&sort=-town&offset=${Math.floor(Math.random() * 100)}`
    const reply = await ask(findings, 'list', url, withKey(secret))
    if (reply?.status !== 200) return
    const { data, pagination } = reply.body as ListBody
    const editions = new Set(data.map(({ edition }) => edition))
    if (editions.size !== 1 || data.length !== 200 || pagination.total !== ROWS)
      findings.wrong(
        `a list of ${data.length} of ${pagination.total} rows with the editions ${[...editions]}`,
      )
  })
}

/** The edition that a node serves, or undefined when it does not answer. */
export async function editionOf(node: Node, secret: string, findings: Findings): Promise<number | undefined> {
  const reply = await ask(findings, 'edition', `${node.address}/v1/geo/walk?limit=1`, withKey(secret))
  return reply?.status === 200 ? (reply.body as ListBody).data[0]?.edition : undefined
}

/** Time for a node to serve what was published, and for a part that was down to come back. */
const SERVED_WITHIN_MS = 10_000

/** Publishes one version after the other. An acknowledged one is served by every node that is up, and never lost. */
export class Publishing {
  acknowledged = 0
  readonly waits: number[] = []
  #next = 1

  async run(cluster: Cluster, secret: string, findings: Findings, goesOn: () => boolean): Promise<void> {
    await repeat(goesOn, 1500, async () => {
      if (!(await this.publish(anyOf(cluster.nodes.filter(({ isUp }) => isUp)), findings))) return
      const began = performance.now()
      await Promise.all(cluster.nodes.map((node) => this.#untilServed(node, secret, findings, began, goesOn)))
    })
  }

  /** @returns whether it was acknowledged; else it may have been published or not */
  async publish(node: Node | undefined, findings: Findings): Promise<boolean> {
    if (node === undefined) return false
    const edition = this.#next++
    const file = join(node.data, '..', `walk-${edition}.csv`)
    writeFileSync(file, tableOf(edition))
    try {
      await node.run(['ingest', file, '--id', 'walk', '--domain', 'geo'])
      this.acknowledged = edition
      findings.note('publish', 200)
      return true
    } catch (error) {
      findings.note('publish', 'broken')
      this.lastFailure = (error as Error).message
      return false
    }
  }

  lastFailure = ''

  /** A node that was down for part of the time gets that much more. */
  async #untilServed(node: Node, secret: string, findings: Findings, began: number, goesOn: () => boolean) {
    const wanted = this.acknowledged
    let down = 0
    for (let last = performance.now(); ; last = performance.now()) {
      const edition = await editionOf(node, secret, findings)
      if (edition !== undefined && edition >= wanted) break
      if (edition === undefined) down += performance.now() - last + 200
      await Bun.sleep(200)
      if (!goesOn()) return
      if (performance.now() - began - down > SERVED_WITHIN_MS + 5000) {
        findings.wrong(`${node.name} serves edition ${edition}, ${wanted} was published 15 s ago`)
        return
      }
    }
    this.waits.push(performance.now() - began)
  }
}

/** A signed-in account, at any node. */
export class Person {
  readonly #cookie: string
  readonly #csrf: string
  private constructor(cookie: string, csrf: string) {
    this.#cookie = cookie
    this.#csrf = csrf
  }

  static async signIn(address: string, email: string, password: string): Promise<Person> {
    const answer = await fetch(`${address}/account/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
    const { csrf_token } = (await answer.json()) as { csrf_token: string }
    return new Person(
      answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
      csrf_token,
    )
  }

  post(findings: Findings, kind: string, url: string, body: unknown): Promise<Reply | undefined> {
    const headers = { 'content-type': 'application/json', cookie: this.#cookie, 'x-csrf-token': this.#csrf }
    return ask(findings, kind, url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}

/**
 * Mints keys and revokes them, on any node. A call with a key that is sent after the answer to its revocation is refused by
 * every node, and one with a key that was not revoked never is.
 */
export class KeyLives {
  readonly kept: string[] = []
  readonly revoked: string[] = []

  async run(cluster: Cluster, person: Person, findings: Findings, goesOn: () => boolean): Promise<void> {
    await repeat(goesOn, 50, async () => {
      const minted = await person.post(findings, 'mint', `${anyOf(cluster.nodes).address}/account/api/keys`, {
        label: 'chaos',
      })
      if (minted?.status !== 201) return
      const { key_id, secret } = minted.body as { key_id: number; secret: string }
      const isKept = Math.random() < 0.1
      await Promise.all(cluster.nodes.map((node) => this.#mustWork(node, secret, findings)))
      if (isKept && this.kept.length < 10) {
        this.kept.push(secret)
        return
      }
      const path = `/account/api/keys/${key_id}/revoke`
      // Not acknowledged: it may be revoked or not.
      for (let tries = 0; tries < 50 && goesOn(); tries++) {
        const answer = await person.post(findings, 'revoke', anyOf(cluster.nodes).address + path, {})
        if (answer?.status === 204) {
          this.revoked.push(secret)
          await Promise.all(cluster.nodes.map((node) => this.mustFail(node, secret, findings)))
          return
        }
        await Bun.sleep(200)
      }
    })
  }

  async #mustWork(node: Node, secret: string, findings: Findings): Promise<void> {
    const reply = await ask(findings, 'own key', `${node.address}/v1/geo/walk?limit=1`, withKey(secret))
    if (reply?.status === 401) findings.wrong(`${node.name} refuses a key that was not revoked`)
  }

  async mustFail(node: Node, secret: string, findings: Findings): Promise<void> {
    const reply = await ask(findings, 'revoked key', `${node.address}/v1/geo/walk?limit=1`, withKey(secret))
    if (reply !== undefined && reply.status !== 401 && reply.status !== 503)
      findings.wrong(`${node.name} answers ${reply.status} to a call sent after its key was revoked`)
  }
}

/** Consecutive refusals after which a quota counts as used up: unused parts of blocks are given back within a second or two. */
const USED_UP_AFTER = 40

/** Calls with one key, at all nodes, until its quota is used up. */
export class Quota {
  admitted = 0
  /** Calls that may have been counted but got no answer. */
  unknown = 0
  #refusedInRow = 0

  get isUsedUp(): boolean {
    return this.#refusedInRow >= USED_UP_AFTER
  }

  async run(cluster: Cluster, secret: string, findings: Findings, goesOn: () => boolean): Promise<void> {
    const client = () =>
      repeat(
        () => goesOn() && !this.isUsedUp,
        0,
        async () => {
          const url = `${anyOf(cluster.nodes).address}/v1/geo/walk?limit=1`
          const reply = await ask(findings, 'quota', url, withKey(secret))
          if (reply === undefined) this.unknown++
          if (reply?.status === 200) this.admitted++
          if (reply?.status !== 429) this.#refusedInRow = 0
          else {
            this.#refusedInRow++
            await Bun.sleep(100)
          }
        },
      )
    await Promise.all(Array.from({ length: 4 }, client))
  }
}

/** Checks that everything that was acknowledged is there when all parts run again. */
export async function checkAfterwards(
  cluster: Cluster,
  { keys, publishing, secret }: { keys: KeyLives; publishing: Publishing; secret: string },
  findings: Findings,
): Promise<void> {
  for (const node of cluster.nodes) {
    const edition = await editionOf(node, secret, findings)
    if (edition === undefined) findings.wrong(`${node.name} does not answer at the end: ${node.said}`)
    else if (edition < publishing.acknowledged)
      findings.wrong(
        `${node.name} serves edition ${edition} at the end; ${publishing.acknowledged} was acknowledged`,
      )
    for (const kept of keys.kept) {
      const reply = await ask(findings, 'kept key', `${node.address}/v1/geo/walk?limit=1`, withKey(kept))
      if (reply?.status !== 200)
        findings.wrong(`a key that was minted is answered ${reply?.status} by ${node.name}`)
    }
    for (const revoked of keys.revoked.slice(-50)) await keys.mustFail(node, revoked, findings)
  }
}
