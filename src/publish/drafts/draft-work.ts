/**
 * Starts the processes that work on drafts: one at a time for each owner, two in all. The catalog holds the work to do, so
 * a service that was killed continues where it was, and several services on one data directory share the work.
 */

import type { Logger } from 'pino'
import type { Publication } from '../../accounts/audit/audit.ts'
import type { Config } from '../../base/config/config.ts'
import { type EndedProgram, type RunningProgram, startProgram } from '../../base/process/child.ts'
import { DRAFT_WORKER, ownProgram } from '../../base/process/own-command.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Draft, isPending } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { decided } from './decisions.ts'
import { isDraftFree } from './draft-locks.ts'
import { dropSource } from './draft-objects.ts'
import { DATABASE_VARIABLE, DRAFT_MS, DRAFTS_AT_ONCE, type DraftOrder, settingsOf } from './draft-order.ts'

export interface DraftWorkOptions {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  readonly config: Config
  readonly log: Logger
  readonly now: () => Date
  readonly accountExists: (id: number) => Promise<boolean>
  /** Records a publication in the audit log, once. */
  readonly notePublished: (publication: Publication) => Promise<void>
}

const POLL_MS = 5000
const HOLD_MS = 1000
/** An hour for a fetch, and another one for reading the file. */
const LONGEST_RUN_MS = 7_200_000

export class DraftWork {
  readonly #options: DraftWorkOptions
  readonly #running = new Map<
    string,
    {
      readonly program: RunningProgram
      readonly owner: string
      readonly attempts: number
      readonly done: Promise<void>
    }
  >()
  #timer: ReturnType<typeof setInterval> | undefined
  /** Drafts set aside for a moment: another process works on them, or none could be started. */
  readonly #held = new Set<string>()
  /** One pass at a time; a request during a pass starts another one after it. */
  #pass: Promise<void> | undefined
  #isPassDue = false
  /** Drafts whose work began before this process started; each gets its attempts back once. */
  readonly #begunBefore = new Set<string>()
  #isClosed = false
  /** Makes other processes of the service stop their work on a draft; a service with several sets it. */
  elsewhere: (draft: string) => void = () => {}

  constructor(options: DraftWorkOptions) {
    this.#options = options
  }

  /** Starts pending work, now and every few seconds, and removes expired drafts. */
  start(): void {
    const { catalog, dataDir } = this.#options
    if (!dataDir.isWritable()) return
    for (const id of dataDir.draftIds()) void this.#finishPublished(id)
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref()
    // Continues what an earlier service left. Another process of the service may still work on it.
    void this.#trying('the drafts of an earlier service could not be taken over', async () => {
      for (const { id, attempts } of await catalog.drafts.pending())
        if (attempts > 0) this.#begunBefore.add(id)
      this.wake()
    })
  }

  async #poll(): Promise<void> {
    // A process that the previous service left behind may have ended since.
    await this.#trying('folders of ended processes could not be removed', () => this.#options.dataDir.sweep())
    this.wake()
  }

  /** Starts the work that can start. Call it when a draft begins to wait for a process. */
  wake(): void {
    if (this.#isClosed || this.#timer === undefined) return
    void this.#removeOrphans()
    this.#isPassDue = true
    this.#pass ??= this.#runPasses()
  }

  async #runPasses(): Promise<void> {
    while (this.#isPassDue && !this.#isClosed) {
      this.#isPassDue = false
      await this.#trying('drafts could not be looked through; it will be tried again', () => this.#runPass())
    }
    this.#pass = undefined
  }

  /** Stops the work on a draft whose decisions have changed or which is gone, in any process of the service. */
  async interrupt(id: string): Promise<void> {
    if (!this.#running.has(id)) this.elsewhere(id)
    await this.interruptHere(id)
  }

  /** Stops it where this process started it. */
  async interruptHere(id: string): Promise<void> {
    const running = this.#running.get(id)
    if (running === undefined) return
    running.program.stop()
    await running.done
  }

  /** Stops all work; the next service takes it up. */
  async stop(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#pass
    const all = [...this.#running.values()]
    for (const { program } of all) program.stop()
    await Promise.all(all.map(({ done }) => done))
    if (all.length > 0) this.#options.dataDir.sweep()
  }

  async #runPass(): Promise<void> {
    const { catalog, log, now } = this.#options
    const expired = formatTimestamp(new Date(now().getTime() - DRAFT_MS))
    await this.#trying('old drafts could not be removed; it will be tried again', async () => {
      for (const { id } of await catalog.drafts.untouchedSince(expired)) {
        await catalog.drafts.remove(id)
        log.info({ draft: id }, 'a draft that nobody changed for a week was removed')
      }
    })
    // Small files take a moment: they do not wait for large ones.
    const pending = (await catalog.drafts.pending()).sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0))
    for (const draft of pending) {
      if (this.#running.size >= DRAFTS_AT_ONCE || this.#isClosed) return
      const { accountId, keyId } = draft
      const owner = accountId === null ? `key:${keyId}` : `account:${accountId}`
      const isBusy = [...this.#running.values()].some((running) => running.owner === owner)
      if (isBusy || this.#held.has(draft.id)) continue
      // A process for a draft that is taken would be started again and again. If the check fails, the process itself
      // reports what is wrong with the folder.
      const isFree = await isDraftFree(this.#options, draft).catch(() => true)
      if (!isFree) {
        this.#hold(draft.id)
        continue
      }
      // That an earlier service ended isn't the file's fault.
      const forgiven =
        this.#begunBefore.delete(draft.id) &&
        (await catalog.drafts.change(draft.id, (current) =>
          isPending(current) ? { attempts: 0, restarts: current.restarts + 1 } : null,
        ))
      this.#begin(forgiven || draft, owner)
    }
  }

  #begin({ id, attempts }: Draft, owner: string): void {
    const { dataDir, config } = this.#options
    const { database_url: url } = config
    const order: DraftOrder = { data: dataDir.root, draft: id, settings: settingsOf(config) }
    const command = [...ownProgram, DRAFT_WORKER, JSON.stringify(order)]
    const variables = url === null ? {} : { [DATABASE_VARIABLE]: url }
    const program = startProgram(command, LONGEST_RUN_MS, true, variables)
    const done = this.#trying(
      'the end of work on a draft could not be noted',
      async () => this.#ended(id, await program.ended),
      id,
    )
    this.#running.set(id, { program, owner, attempts, done })
  }

  async #ended(id: string, { code, interrupted, message }: EndedProgram): Promise<void> {
    const { catalog, dataDir, log } = this.#options
    const before = this.#running.get(id)
    this.#running.delete(id)
    if (code !== 0) dataDir.sweep()
    if (interrupted || this.#isClosed) {
      // Not the file's fault.
      await catalog.drafts.change(id, (draft) => (isPending(draft) ? { attempts: 0 } : null))
      return this.wake()
    }
    if (code !== 0)
      log.error({ draft: id, code, reason: message }, 'the process that worked on a draft broke off')
    if ((await catalog.drafts.find(id))?.attempts === before?.attempts) this.#hold(id)
    await this.#finishPublished(id)
    this.wake()
  }

  #hold(id: string): void {
    this.#held.add(id)
    const release = () => {
      this.#held.delete(id)
      this.wake()
    }
    setTimeout(release, HOLD_MS).unref()
  }

  /** What remains to be done once the file is served. */
  #finishPublished(id: string): Promise<void> {
    const { catalog, dataDir, notePublished } = this.#options
    const note = async () => {
      const draft = await catalog.drafts.find(id)
      if (draft?.state !== 'published' && draft?.state !== 'unchanged') return
      await dropSource(dataDir, id)
      if (draft.state === 'unchanged') return
      const { accountId, keyId, version } = draft
      const dataset = decided(catalog, draft).id
      if (version !== null) await notePublished({ accountId, keyId, dataset, version })
    }
    return this.#trying('a publication could not be noted; the next service tries it again', note, id)
  }

  /** The shell can delete an account; its drafts are removed here. */
  #removeOrphans(): Promise<void> {
    const { catalog, dataDir, log, accountExists } = this.#options
    const remove = async () => {
      for (const accountId of await catalog.drafts.accounts()) {
        if (await accountExists(accountId)) continue
        for (const { id } of await catalog.drafts.list({ accountId, keyId: null })) {
          await catalog.drafts.remove(id)
          await this.interrupt(id)
          dataDir.draft(id).remove()
          log.info({ draft: id }, 'a draft of a deleted account was removed')
        }
      }
    }
    return this.#trying('drafts of deleted accounts could not be removed; it will be tried again', remove)
  }

  /** Runs work that nobody awaits: a failure is logged, unless the service is closing. */
  async #trying(failure: string, work: () => void | Promise<void>, draft?: string): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#isClosed) this.#options.log.error({ err: error, draft }, failure)
    }
  }
}
