/**
 * The yardstick of the HTTP figures: a bare Bun.serve that answers every request with the same bytes from memory, or
 * with a 304 when the request names an ETag. `bun bare-server.ts FILE` prints its address.
 */

import { readFileSync } from 'node:fs'

const body = new Uint8Array(readFileSync(Bun.argv[2] as string))
const etag = 'W/"bench"'

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    if (request.headers.has('if-none-match')) return new Response(null, { status: 304, headers: { etag } })
    return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8', etag } })
  },
})
console.log(`http://127.0.0.1:${server.port}`)
process.on('SIGTERM', () => process.exit(0))
