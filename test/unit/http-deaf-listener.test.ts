import { expect, test } from 'bun:test'
import { deafen } from '../../src/http/deaf-listener.ts'

function serve() {
  let requests = 0
  const fetch = () => new Response(String(++requests))
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  return { server, port: Number(server.port), requests: () => requests }
}

test.skipIf(process.platform !== 'linux')(
  'a deaf listener goes on with its connections, lets no new one in, and refuses it once it is closed',
  async () => {
    const { server, port, requests } = serve()
    const answers = Promise.withResolvers<string>()
    const connection = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: { data: (_, bytes) => answers.resolve(bytes.toString()) },
    })
    expect(deafen(port)).toBe(1)
    // Only new connections: `fetch` has none that it could use again.
    const attempt = fetch(server.url).then(
      () => 'answered',
      () => 'refused',
    )
    connection.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(await answers.promise).toStartWith('HTTP/1.1 200')
    await server.stop(true)
    expect(await attempt).toBe('refused')
    expect(requests()).toBe(1)
  },
)

test.skipIf(process.platform !== 'linux')('listeners on other ports are left alone', async () => {
  const { server, port } = serve()
  const other = serve()
  expect(deafen(port)).toBe(1)
  expect((await fetch(other.server.url)).status).toBe(200)
  await Promise.all([server.stop(true), other.server.stop(true)])
})

test('a port on which nobody listens makes nothing deaf', async () => {
  const { server, port } = serve()
  await server.stop(true)
  expect(deafen(port)).toBe(0)
})
