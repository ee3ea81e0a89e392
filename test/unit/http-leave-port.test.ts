import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { prepareToLeave, sharePort } from '../../src/http/leave-port.ts'

const onLinux = test.skipIf(process.platform !== 'linux')

function serve(name: string, port = 0) {
  const server = Bun.serve({ port, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response(name) })
  return { server, port: Number(server.port) }
}

async function whoAnswers(port: number): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}/`, { keepalive: false })).text()
}

async function answersOf(port: number, times: number): Promise<Set<string>> {
  return new Set(await Promise.all(Array.from({ length: times }, () => whoAnswers(port))))
}

const nobodyElse = () => Promise.resolve(true)

onLinux('alone on its port a socket refuses new connections and goes on with those it has', async () => {
  const { server, port } = serve('here')
  const answer = Promise.withResolvers<string>()
  const connection = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: { data: (_, bytes) => answer.resolve(bytes.toString()) },
  })
  expect(await prepareToLeave(port, nobodyElse)()).toBe('refused')
  await expect(whoAnswers(port)).rejects.toThrow()
  connection.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await answer.promise).toEndWith('here')
  connection.end()
  await server.stop(true)
})

/** Another process on the port, from its first line of output on. */
async function startOther(port: number) {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../support/processes/share-port.ts'), String(port)],
    {
      stdin: 'pipe',
      stdout: 'pipe',
    },
  )
  await child.stdout.getReader().read()
  return child
}

for (const first of ['here', 'there'] as const) {
  onLinux(`beside another process all new connections are its own, when the first was ${first}`, async () => {
    const reserved = serve('')
    const { port } = reserved
    const earlier = first === 'there' ? await startOther(port) : undefined
    const { server } = serve('here', port)
    await reserved.server.stop(true)
    const other = earlier ?? (await startOther(port))
    try {
      expect(await answersOf(port, 100)).toEqual(new Set(['here', 'there']))
      expect(await prepareToLeave(port, async () => (await whoAnswers(port)) === 'here')()).toBe(
        'handed over',
      )
      expect(await answersOf(port, 100)).toEqual(new Set(['there']))
      sharePort(port)
      expect(await answersOf(port, 100)).toEqual(new Set(['here', 'there']))
    } finally {
      other.kill()
      await Promise.all([other.exited, server.stop(true)])
    }
  })
}

test('a port on which this process does not listen stays as it is', async () => {
  const { server, port } = serve('here')
  await server.stop(true)
  expect(await prepareToLeave(port, nobodyElse)()).toBe('unchanged')
})
