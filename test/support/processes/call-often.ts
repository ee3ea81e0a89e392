/** Requests an address from several clients, with a connection per call, and prints how many answers had status 200. */

import { connect } from 'node:net'

const [address = '', clients = '', calls = ''] = process.argv.slice(2)
const { hostname, port, pathname, search } = new URL(address)
const REQUEST = `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

/** The first line of the answer. */
function call(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (piece) => {
      answer ||= piece.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split('\r\n', 1).join()))
    socket.write(REQUEST)
  })
}

async function callInTurn(): Promise<number> {
  let answered = 0
  for (let n = 0; n < Number(calls); n++) if ((await call()) === 'HTTP/1.1 200 OK') answered++
  return answered
}

const answered = await Promise.all(Array.from({ length: Number(clients) }, callInTurn))
process.stdout.write(String(answered.reduce((sum, count) => sum + count, 0)))
