/** Accepts connections, and stops without cutting off running requests. */

import type { App } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { readTls } from '../../base/config/tls-files.ts'
import { ApiError } from '../../base/errors.ts'
import { saysFilesShort } from '../../base/process/open-files.ts'
import { RequestTurns } from '../../engine/turns.ts'
import { ClientAddresses } from '../../http/client-ip.ts'
import { lastResort, outsideRefusal } from '../../http/errors.ts'
import { endAll } from '../../http/file-body.ts'
import { Answers } from '../metrics/answers.ts'
import { filesRefusal } from '../refusals.ts'
import { ROUTES } from '../routes.ts'
import { RouteMap } from '../routing.ts'
import { createServer } from '../server.ts'
import { AddressBound, ConnectionBound, type SideGate } from './connections.ts'
import { Listener, startServer } from './listener.ts'
import { tlsPaths } from './tls-paths.ts'

export interface Listening {
  readonly url: string
  readonly answers: Answers
  readonly routes: RouteMap
  /**
   * Reads certificate and key again. New connections get the new ones, within a few seconds all of them; open connections
   * close with their next answer, and none breaks.
   * @param gently false switches at once, which breaks idle connections
   * @throws CommandError as `readTls`; the old certificate and key then stay
   */
  reloadTls(gently?: boolean): void
  /** The certificate that new connections get; null without HTTPS. */
  certificate(): { readonly file: string; readonly ends: Date } | null
  /** Stops accepting connections, waits for running requests up to the given times, then cuts off the rest. */
  stop(grace: Grace): Promise<void>
}

/** In seconds. */
interface Grace {
  /** How long requests are still accepted while the service reports that it is not ready. */
  readonly delay?: number
  readonly requests: number
  /** For exports; by default the same as `requests`. */
  readonly exports?: number | undefined
}

/**
 * Serves on the configured address; starts the mail (whose links name that address), the request log, drafts and the node.
 * @param side the listener beside it
 * @throws CommandError `failed` when the address cannot be taken
 */
export function listen(app: App, side?: SideGate): Listening {
  const { host, port, reuse_port, base_url, max_connections: asked } = app.config
  const clients = new ClientAddresses(app.config.trusted_proxies)
  const answers = new Answers()
  const server = createServer(app, answers, clients)
  const failed = (error: unknown) => {
    app.log.error({ err: error }, 'a request failed outside of its route')
    return saysFilesShort(error) ? outsideRefusal(filesRefusal()) : lastResort()
  }
  const ofAddress = new AddressBound(app.config.max_connections_per_address, clients)
  const turns = new RequestTurns()
  const answer = (request: Request) => {
    if (clients.loopback !== undefined || ofAddress.admits(request, listener.inProgress))
      return server.fetch(request)
    const message = 'Too many requests of your address are in progress: wait for one to end.'
    const refused = outsideRefusal(new ApiError('service_unavailable', message))
    refused.headers.set('Connection', 'close')
    return refused
  }
  // A client that left while its request waited no longer has an address, and reads no answer.
  const fetch = (request: Request) =>
    turns.run(
      () => answer(request),
      () => (clients.isOpen(request) ? answer(request) : lastResort()),
    )
  const serving = { hostname: host, port, reusePort: reuse_port, fetch, error: failed }
  const listener = new Listener(serving, app.config)
  clients.sockets = listener
  // `localhost` is not in the list: it may mean either.
  clients.loopback = ['127.0.0.1', '::1'].find((address) => address === host)
  app.usage.logs.start()
  app.accountService.start(base_url ?? listener.url)
  app.draftWork.start()
  app.node?.start()
  const datasetFiles = () => app.openDatasets.files
  const bound = new ConnectionBound(listener, asked, datasetFiles, app.log, side)
  return {
    url: listener.url,
    answers,
    routes: new RouteMap(ROUTES),
    reloadTls: (gently) => listener.reloadTls(gently),
    certificate: () => listener.certificate,
    async stop(grace) {
      bound.stop()
      await drain(answers, listener, grace)
      endAll()
      await app.draftWork.stop()
      await app.node?.stop()
      answers.flush()
      await app.accountService.close()
    },
  }
}

/**
 * Reports unreadiness first, so that a load balancer or the process that shares the port takes over; then closes the
 * listener and drains open requests. Closing resets connections that still wait in the accept queue: a handful among
 * hundreds of thousands of requests. Where the kernel migrates those (`net.ipv4.tcp_migrate_req=1`), the only loss is an
 * occasional connection that was accepted at that very moment and has not been read.
 */
async function drain(answers: Answers, listener: Listener, grace: Grace): Promise<void> {
  const { delay = 0, requests, exports = requests } = grace
  answers.isDraining = true
  if (delay > 0) await Bun.sleep(delay * 1000)
  const stopped = listener.stop()
  await endsWithin(stopped, requests)
  // Only exports are worth a longer wait.
  if (answers.sending > 0 && exports > requests) await endsWithin(stopped, exports - requests)
  await listener.cutOff()
}

async function endsWithin(work: Promise<void>, seconds: number): Promise<void> {
  const { promise: grace, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, seconds * 1000)
  await Promise.race([work, grace])
  clearTimeout(timer)
}

/**
 * Takes the configured address and releases it, so that a command that works for long before it serves fails at once.
 * @throws CommandError `failed` as `listen`
 */
export async function requireFreeAddress(config: Config): Promise<void> {
  const { host: hostname, port, reuse_port: reusePort } = config
  readTls(tlsPaths(config))
  await startServer({ hostname, port, reusePort, fetch: lastResort, error: lastResort }).stop(true)
}

/**
 * Answers on the configured address for a service that waits for its database: it is alive, but cannot serve.
 * @returns a function that stops it
 * @throws CommandError `failed` as `listen`
 */
export function answerWaiting(config: Config, refusal: ApiError): () => Promise<void> {
  const { host, port, reuse_port } = config
  const fetch = ({ url }: Request) =>
    new URL(url).pathname === '/health/live' ? Response.json({ status: 'ok' }) : outsideRefusal(refusal)
  const serving = { hostname: host, port, reusePort: reuse_port, tls: readTls(tlsPaths(config)), fetch }
  const server = startServer({ ...serving, error: lastResort })
  return () => server.stop(true)
}
