/** The network: where the service listens, behind what, and how it stops. */

import { setting } from '../setting.ts'
import { BASE_URL, DURATION, NETWORKS, ON_OFF, PORT, TRUE_FALSE, text, WORKERS } from '../setting-kinds.ts'

export const HTTP_SETTINGS = {
  host: setting({
    kind: text('an address or host name'),
    fallback: '127.0.0.1',
    flag: '--host',
    help: 'Network address to listen on; 0.0.0.0 for all.',
  }),
  port: setting({
    kind: PORT,
    fallback: '3000',
    flag: '--port',
    help: 'TCP port to listen on; 0 takes a free one.',
  }),
  reuse_port: setting({
    kind: TRUE_FALSE,
    fallback: 'false',
    flag: '--reuse-port',
    help: 'Share the port with other processes that ask for it too, for restarts without a gap.',
  }),
  workers: setting({
    kind: WORKERS,
    fallback: '1',
    flag: '--workers',
    help: 'Processes that answer requests on the port (Linux); auto takes one for each core. Memory and places are divided among them.',
  }),
  base_url: setting({
    kind: BASE_URL,
    fallback: null,
    help: 'Public address of the service, for links in answers; by default the address of each request.',
  }),
  trusted_proxies: setting({
    kind: NETWORKS,
    fallback: null,
    help: 'Reverse proxies whose X-Forwarded-For is believed; without any, the address of the connection is the client.',
  }),
  tls_cert: setting({
    kind: text('a PEM file'),
    fallback: null,
    flag: '--tls-cert',
    help: 'Certificate with its chain, which makes the service speak HTTPS. SIGHUP reads it again.',
  }),
  tls_key: setting({
    kind: text('a PEM file'),
    fallback: null,
    flag: '--tls-key',
    help: 'Private key of the certificate.',
  }),
  server_timing: setting({
    kind: ON_OFF,
    fallback: 'on',
    help: 'Whether answers to requests with a key say in Server-Timing how long they took.',
  }),
  drain_delay: setting({
    kind: DURATION,
    fallback: null,
    help: 'How long a stopping service still accepts requests while /health/ready says no; by default 0, with reuse_port 1s.',
  }),
  shutdown_grace: setting({
    kind: DURATION,
    fallback: '10s',
    help: 'How long a stopping service waits for running requests.',
  }),
  export_grace: setting({
    kind: DURATION,
    fallback: null,
    help: 'How long a stopping service waits for running exports; by default as long as shutdown_grace.',
  }),
}
