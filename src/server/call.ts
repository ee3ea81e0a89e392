/** A call: an exchange that counts its answer, adds the limits to it and logs it. */

import { dayNumber } from '../accounts/usage/calendar.ts'
import type { App } from '../app.ts'
import { speaksHttps } from '../base/config/config.ts'
import type { ClientAddresses } from '../http/client-ip.ts'
import type { ExchangeTraits } from '../http/exchange.ts'
import { HTTPS_HEADERS } from '../http/headers.ts'
import { isHead } from '../http/plain-requests.ts'
import { returnCall, setLimitHeaders } from './admission/call-limits.ts'
import { CallRecord } from './call-record.ts'
import type { Answers } from './metrics/answers.ts'

/** Whether the service is reached over https: it speaks https itself, or its public address says so. */
export function isHttps(config: App['config']): boolean {
  return speaksHttps(config) || config.base_url?.startsWith('https:') === true
}

/**
 * What every call needs of the service, gathered once.
 * @param clients resolves the addresses that requests come from
 */
export function callContext(app: App, answers: Answers, clients: ClientAddresses) {
  const { usage, config, now, bodies } = app
  const { base_url: baseUrl, server_timing: serverTiming } = config
  return { usage, answers, clients, bodies, now, baseUrl, serverTiming, isHttps: isHttps(config) }
}

export class Call extends CallRecord {
  /** Kept from the moment the answer begins: the socket is gone when a stream ends. */
  #ip = ''
  readonly #context: ReturnType<typeof callContext>

  constructor(request: Request, context: ReturnType<typeof callContext>, traits: ExchangeTraits) {
    super(request, context, traits)
    this.#context = context
  }

  override begins(status: number, headers: Headers): void {
    const { usage, answers, serverTiming, isHttps } = this.#context
    if (isHttps) headers.set('Strict-Transport-Security', HTTPS_HEADERS['Strict-Transport-Security'])
    if (this.#keyId !== undefined) this.#ip = this.ip
    if (this.key !== undefined) {
      const result = this.refusedAs ?? status
      if (result === 304 || result === 429 || result >= 500) returnCall(this, usage)
      setLimitHeaders(headers, this)
      // Not below /account: the time of a refusal would tell a known address from an unknown one.
      if (serverTiming) headers.set('Server-Timing', timingOf(this))
    }
    answers.sending++
    // The client's next request opens a connection to another process.
    if (answers.isDraining) headers.set('Connection', 'close')
  }

  /** A call whose stream breaks costs none. */
  override broke(): void {
    returnCall(this, this.#context.usage)
  }

  override ended(sent: number, bytes: number): void {
    const { answers } = this.#context
    const status = this.refusedAs ?? sent
    answers.sending--
    const keyId = this.#keyId
    if (keyId !== undefined) this.#record(keyId, status, bytes)
    if (this.dataset !== undefined && (status === 200 || status === 206) && !isHead(this.request)) {
      this.#context.usage.used({
        day: dayNumber(this.startedAt),
        dataset: this.dataset,
        keyId: keyId ?? null,
        format: this.format,
        rows: this.rows ?? 0,
        bytes,
      })
    }
    answers.note(this, status, bytes)
  }

  get #keyId(): number | undefined {
    return this.key?.keyId ?? this.publisher?.keyId ?? undefined
  }

  #record(keyId: number, status: number, bytes: number): void {
    const { request, path, query, requestId } = this
    this.#context.usage.record({
      key_id: keyId,
      at: Math.floor(this.startedAt.getTime() / 1000),
      method: isHead(request) ? 'HEAD' : request.method,
      path,
      query,
      status,
      latency_us: Math.max(0, Math.round((performance.now() - this.startMark) * 1000)),
      bytes,
      ip: this.#ip,
      user_agent: request.headers.get('user-agent'),
      request_id: requestId,
    })
  }
}

/** The W3C Server Timing header: the time until the answer began, and whether the page came from the cache. */
function timingOf({ startMark, cache }: Call): string {
  // Composed of whole numbers: formatting a fraction takes longer than all the rest.
  const microseconds = Math.round((performance.now() - startMark) * 1000)
  const total = `total;dur=${Math.floor(microseconds / 1000)}.${String(microseconds % 1000).padStart(3, '0')}`
  return cache === undefined ? total : `${total}, cache;desc=${cache}`
}
