/**
 * Opens connections, half of which send the beginning of a request, prints a line, and holds them until its input ends; with
 * `again`, closed connections are opened again.
 */

import { connect } from 'node:net'

const [address = '', count = '', again] = process.argv.slice(2)
const { hostname, port } = new URL(address)
const HEAD = 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: '

function open(n: number): Promise<void> {
  const socket = connect(Number(port), hostname)
  if (n % 2 === 1) socket.write(HEAD)
  if (again !== undefined) socket.once('close', () => setTimeout(open, 5, n))
  return new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    socket.on('error', () => resolve())
  })
}

await Promise.all(Array.from({ length: Number(count) }, (_, n) => open(n)))
console.log('open')
await Bun.stdin.text()
process.exit()
