/** Opens connections, half of which send the beginning of a request, says so in a line, and holds them until its input ends. */

import { connect } from 'node:net'

const [address = '', count = ''] = process.argv.slice(2)
const { hostname, port } = new URL(address)
const HEAD = 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: '

const opened = Array.from({ length: Number(count) }, (_, n) => {
  const socket = connect(Number(port), hostname)
  if (n % 2 === 1) socket.write(HEAD)
  return new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    socket.on('error', () => resolve())
  })
})
await Promise.all(opened)
console.log('open')
await Bun.stdin.text()
process.exit()
