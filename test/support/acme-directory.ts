/**
 * A certificate authority for one test: Pebble, Let's Encrypt's test server, from `PEBBLE` or the path. Tests are skipped with
 * a message where there is none. Names are looked up in a name server for this test. Use it inside a test.
 */

import { onTestFinished } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { signOwnCertificate } from '../../src/upkeep/certificates/served-certificate.ts'
import { freePort, startListening } from './free-port.ts'
import { tempDir } from './temp-dir.ts'

const program = process.env.PEBBLE ?? Bun.which('pebble')
if (program === null)
  console.warn(
    'skipped: pebble is not installed (go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.3)',
  )

/** Whether an authority can be started here. */
export const hasDirectory = program !== null

export interface TestDirectory {
  /** For a service whose certificate it issues: a free port for challenges, the authority's address, and whom to trust. */
  readonly env: Readonly<Record<string, string>>
  readonly httpPort: number
  /** Sets the address of all names; `127.0.0.1` at first. */
  leadTo(address: string): void
  kill(): Promise<void>
  /** Starts it after `kill`, at the same address. It has forgotten everything. */
  start(): Promise<void>
}

/** Starts one, which ends with the test. @param days for which its certificates are valid */
export async function startDirectory(days = 90): Promise<TestDirectory> {
  const folder = tempDir()
  const own = join(folder, 'own.pem')
  const now = Date.now()
  const pem = await signOwnCertificate('localhost', new Date(now - 3_600_000), new Date(now + 86_400_000))
  writeFileSync(own, pem, { mode: 0o600 })
  const names = await startNames()
  const [port, httpPort] = [freePort(), freePort()]
  const config = join(folder, 'pebble.json')
  const profile = { description: 'of a test', validityPeriod: Math.round(days * 86_400) }
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${freePort()}`,
    ...{ certificate: own, privateKey: own, httpPort, tlsPort: 1 },
    profiles: { default: profile },
  }
  writeFileSync(config, JSON.stringify({ pebble }))
  const directory = `https://localhost:${port}/dir`
  const log = join(folder, 'pebble.log')
  let server: Bun.Subprocess | undefined
  const launch = () => {
    const output = Bun.file(log)
    const child = Bun.spawn([program!, '-config', config, '-dnsserver', names.address], {
      ...{ stdin: 'ignore', stdout: output, stderr: output },
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    })
    const answers = async () => (await fetch(directory, { tls: { ca: pem } }).catch(() => null)) !== null
    return { process: child, answers, log: () => readFileSync(log, 'utf8') }
  }
  const kill = async () => {
    server?.kill('SIGKILL')
    await server?.exited
  }
  const start = async () => {
    server = (await startListening('pebble', launch)).process
  }
  onTestFinished(kill)
  await start()
  const env = {
    IZVOR_ACME_HOST: 'data.example.test',
    IZVOR_ACME_EMAIL: 'operator@example.org',
    IZVOR_ACME_DIRECTORY: directory,
    IZVOR_ACME_CA: own,
    IZVOR_ACME_HTTP_PORT: String(httpPort),
    IZVOR_HOST: '127.0.0.1',
  }
  return { env, httpPort, leadTo: names.leadTo, kill, start }
}

/** A name server over TCP that gives one IPv4 address for every name. */
async function startNames() {
  let address = '127.0.0.1'
  const answer = (socket: Socket, asked: Buffer) => {
    // RFC 1035: a header of 12 bytes, the name up to an empty label, then type and class.
    const end = asked.indexOf(0, 12) + 5
    const isIpv4 = asked.readUInt16BE(end - 4) === 1
    const head = Buffer.from(asked.subarray(0, 12))
    const counts = [0x8180, 1, isIpv4 ? 1 : 0, 0, 0]
    for (const [index, count] of counts.entries()) head.writeUInt16BE(count, 2 + 2 * index)
    const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]
    const said = Buffer.concat([head, asked.subarray(12, end), Buffer.from(isIpv4 ? record : [])])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(said.length)
    socket.write(Buffer.concat([length, said]))
  }
  const server = createServer((socket) => {
    let read = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      read = Buffer.concat([read, bytes])
      for (
        ;
        read.length > 2 && read.length >= 2 + read.readUInt16BE(0);
        read = read.subarray(2 + read.readUInt16BE(0))
      )
        answer(socket, read.subarray(2, 2 + read.readUInt16BE(0)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const leadTo = (other: string) => {
    address = other
  }
  return { address: `127.0.0.1:${port}`, leadTo }
}
