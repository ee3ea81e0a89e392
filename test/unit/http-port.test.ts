import { expect, onTestFinished, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { listenForHttp } from '../../src/server/listening/http-port.ts'

const HOST = 'data.example.test'

function startHttp() {
  const proof = async () => undefined
  const place = { hostname: '127.0.0.1', port: 0, reusePort: false }
  const http = listenForHttp({ ...place, host: HOST, origin: `https://${HOST}`, proof })
  onTestFinished(() => http.stop())
  return http
}

async function statusLine(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [first] = await once(socket, 'data')
  socket.destroy()
  return String(first).split('\r\n')[0]!
}

test('a request without a usable Host is refused like one for another name', async () => {
  const { port } = startHttp()
  expect(await statusLine(port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)).toContain(' 308 ')
  for (const host of ['', 'Host:\r\n', 'Host: a b\r\n', 'Host: [::\r\n', 'Host: x:99999999\r\n'])
    for (const version of ['1.0', '1.1'])
      expect(await statusLine(port, `GET / HTTP/${version}\r\n${host}\r\n`), host).toMatch(/ 4(00|21) /)
})
