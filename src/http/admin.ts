/**
 * A second listener, for whoever watches the service: on the loopback address alone, so that nothing of it is ever
 * public. Threat: a page in a browser on this machine that has its own name point here; hence the Host is looked at.
 */

import type { Registry } from 'prom-client'
import { CommandError } from '../errors.ts'

const ADDRESS = '127.0.0.1'
const HOSTS = new Set([ADDRESS, 'localhost'])

export interface AdminListening {
  readonly url: string
  stop(): Promise<void>
}

/** @throws CommandError `failed` when the port cannot be taken */
export function listenForAdmin(
  { port, reusePort }: { port: number; reusePort: boolean },
  registry: Registry,
): AdminListening {
  const fetch = async (request: Request): Promise<Response> => {
    const { hostname, pathname } = new URL(request.url)
    if (!HOSTS.has(hostname)) return new Response('ask for 127.0.0.1\n', { status: 421 })
    if (pathname !== '/metrics') return new Response('there is only /metrics here\n', { status: 404 })
    return new Response(await registry.metrics(), { headers: { 'Content-Type': registry.contentType } })
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
