/**
 * A second listener, for monitoring, on the loopback address only: nothing here is public. Threat: a page in a browser
 * on this machine whose host name resolves to 127.0.0.1 (DNS rebinding), so the Host header is checked.
 */

import { CommandError } from '../../base/errors.ts'

const ADDRESS = '127.0.0.1'

export interface Metrics {
  /** All metrics; with several processes, a label names the process. */
  readonly read: () => Promise<string>
  /** The same, with counters and histograms summed over the processes. */
  readonly readTotals: () => Promise<string>
}

/** @returns its address and a function that stops it @throws CommandError `failed` when the port cannot be taken */
export function listenForAdmin(
  { port, reusePort }: { port: number; reusePort: boolean },
  metrics: Metrics,
): { readonly url: string; stop(): Promise<void> } {
  const fetch = async (request: Request): Promise<Response> => {
    const { hostname, pathname } = new URL(request.url)
    if (hostname !== ADDRESS && hostname !== 'localhost')
      return new Response('ask for 127.0.0.1\n', { status: 421 })
    const read = { '/metrics': metrics.read, '/metrics/total': metrics.readTotals }[pathname]
    if (read === undefined)
      return new Response('there are /metrics and /metrics/total here\n', { status: 404 })
    return new Response(await read(), {
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  }
  try {
    const server = Bun.serve({ port, reusePort, hostname: ADDRESS, development: false, fetch })
    return { url: server.url.origin, stop: () => server.stop(true) }
  } catch {
    throw new CommandError(
      'failed',
      `port ${port} on ${ADDRESS} is taken by another program: choose another one with --admin-port (0 takes a free one)`,
    )
  }
}
