/**
 * nginx and Caddy configured as in the examples in `data/ops`, with only addresses, ports and the certificate changed. A
 * program that is not installed is null here, with a message.
 */

import { expect, onTestFinished } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../support/find-program.ts'
import { freePort } from '../support/free-port.ts'
import { tempDir } from '../support/temp-dir.ts'

const OPS = join(import.meta.dir, '../../data/ops')

export const NGINX = findProgram('nginx')
export const CADDY = findProgram('caddy')

/** `fetch` that accepts any certificate. */
export function ask(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, tls: { rejectUnauthorized: false } } as RequestInit)
}

/** Starts a proxy and waits until the service answers through it. */
async function startProxy(
  command: readonly string[],
  address: string,
  more: Record<string, string> = {},
): Promise<void> {
  // Caddy keeps its state in the home folder of its user.
  const env = { ...process.env, HOME: tempDir(), XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', ...more }
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe', env })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await child.exited
  })
  for (let attempt = 0; attempt < 400; attempt++) {
    const answer = await ask(`${address}/health/live`).catch(() => null)
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error(`${command[0]}: ${await child.stderr.text()}`)
    await Bun.sleep(10)
  }
  throw new Error(`${command[0]} does not answer at ${address}`)
}

interface Ports {
  /** The address of the service, such as `127.0.0.1:3000`. */
  readonly service: string
  /** The port on which the proxy listens. */
  readonly proxy: number
}

/** @returns the target of its redirect from HTTP to HTTPS */
export async function startNginx({ service, proxy }: Ports): Promise<string> {
  const folder = tempDir()
  const { certificate, key } = makeCertificate(folder)
  const plain = freePort()
  const example = readFileSync(join(OPS, 'nginx.conf'), 'utf8')
    .replace('server 127.0.0.1:3000;', `server ${service};`)
    .replace('/etc/ssl/izvor/fullchain.pem', certificate)
    .replace('/etc/ssl/izvor/privkey.pem', key)
    .replaceAll(/listen \[::\]:\d+.*;/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${proxy} ssl;`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const config = join(folder, 'nginx.conf')
  // The workers of nginx must be able to write to the folder of the user who started it.
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  writeFileSync(
    config,
    `${user}pid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${example}\n}\n`,
  )
  const command = [NGINX as string, '-p', folder, '-c', config, '-g', 'daemon off;']
  await startProxy(command, `https://127.0.0.1:${proxy}`)
  return `http://127.0.0.1:${plain}`
}

function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const command = 'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=data.example.org'.split(' ')
  const made = Bun.spawnSync([...command, '-keyout', key, '-out', certificate])
  expect(made.exitCode).toBe(0)
  return { certificate, key }
}

export async function startCaddy({ service, proxy }: Ports): Promise<void> {
  const example = readFileSync(join(OPS, 'Caddyfile'), 'utf8')
    .replace('data.example.org {', `http://127.0.0.1:${proxy} {`)
    .replaceAll('127.0.0.1:3000', service)
  const config = join(tempDir(), 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n}\n${example}`)
  const command = [CADDY as string, 'run', '--config', config, '--adapter', 'caddyfile']
  await startProxy(command, `http://127.0.0.1:${proxy}`)
}

/** Caddy as `compose.nodes.yaml` starts it. @param nodes their addresses, such as `127.0.0.1:3000` @returns its address */
export async function startCaddyOfNodes(nodes: readonly [string, string]): Promise<string> {
  const config = join(tempDir(), 'Caddyfile')
  const example = readFileSync(join(OPS, 'Caddyfile.nodes'), 'utf8')
  const own = example.replace('node-a:3000', nodes[0]).replace('node-b:3000', nodes[1])
  writeFileSync(config, `{\n\tadmin off\n}\n${own}`)
  const site = `http://localhost:${freePort()}`
  await startProxy([CADDY as string, 'run', '--config', config, '--adapter', 'caddyfile'], site, {
    SITE: site,
  })
  return site
}
