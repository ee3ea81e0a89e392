/** Settings for serving: the network, visitors, accounts with their mail, and limits of queries. */

import { LANGUAGES } from '../text/language.ts'
import { setting } from './setting.ts'
import {
  ADDRESSES,
  BASE_URL,
  CONTACT,
  choice,
  DOMAIN_LABELS,
  DURATION,
  EMAIL_ADDRESS,
  HOST_NAME,
  HTTPS_URL,
  integer,
  LISTEN_HOST,
  NETWORKS,
  ON_OFF,
  PASSPHRASE,
  PORT,
  SITES,
  SIZE,
  SMTP_URL,
  TRUE_FALSE,
  text,
  WORKERS,
} from './setting-kinds.ts'

export const HTTP_SETTINGS = {
  host: setting({
    kind: LISTEN_HOST,
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

export const ACME_SETTINGS = {
  acme_host: setting({
    kind: HOST_NAME,
    fallback: null,
    flag: '--acme-host',
    help: 'Public name of the service, which makes it get and renew a certificate by itself (ACME). Then host is 0.0.0.0, port 443 and base_url this name, unless set. Setting it accepts the terms of the directory.',
  }),
  acme_email: setting({
    kind: EMAIL_ADDRESS,
    fallback: null,
    help: 'Where the certificate authority reaches the operator.',
  }),
  acme_directory: setting({
    kind: HTTPS_URL,
    fallback: 'https://acme-v02.api.letsencrypt.org/directory',
    help: "Directory of the certificate authority; by default that of Let's Encrypt. For trials: https://acme-staging-v02.api.letsencrypt.org/directory.",
  }),
  acme_ca: setting({
    kind: text('a PEM file'),
    fallback: null,
    help: 'Certificates by which the server of acme_directory is recognised, where the system does not know its authority.',
  }),
  acme_http_port: setting({
    kind: PORT,
    fallback: '80',
    help: 'TCP port on which the authority asks for proof, and which sends everybody else to https. It has to be reached as port 80 of the name.',
  }),
  acme_secret: setting({
    kind: PASSPHRASE,
    fallback: null,
    secret: true,
    help: 'With database_url: what seals the private keys of certificate and account in the database. The same on all nodes.',
  }),
}

export const PAGES_SETTINGS = {
  publisher: setting({
    kind: text('a name'),
    fallback: null,
    live: true,
    help: 'Institution that runs the service, named on the pages and in the catalog documents.',
  }),
  contact: setting({
    kind: CONTACT,
    fallback: null,
    live: true,
    help: 'Where to ask about the data and for the right to publish, named in the catalog documents and on the pages.',
  }),
  domain_labels: setting({
    kind: DOMAIN_LABELS,
    fallback: null,
    help: 'What people call domains, as in economy=Economie,economy.en=Economy: without a language the label is for all.',
  }),
  public_browsing: setting({
    kind: TRUE_FALSE,
    fallback: 'true',
    help: 'Whether the pages show rows and offer downloads to visitors without a key.',
  }),
  public_per_minute: setting({
    kind: integer(1, 1_000_000),
    fallback: '300',
    unit: 'requests a minute',
    help: 'Requests for rows, charts, files and dataset pages that one address may make without a key.',
  }),
  embed_hosts: setting({
    kind: SITES,
    fallback: '*',
    help: 'Sites whose pages may show charts, maps and rows in a frame (/embed); * for all, none for none.',
  }),
}

export const ACCOUNT_SETTINGS = {
  smtp_url: setting({
    kind: SMTP_URL,
    fallback: null,
    live: true,
    secret: true,
    help: 'Mail server, smtp:// or smtps://, with user and password where it needs them; without one, mail goes to the log.',
  }),
  smtp_insecure: setting({
    kind: ON_OFF,
    fallback: 'off',
    live: true,
    help: 'Send mail also to a server of another machine that offers no encryption: passwords and links travel in clear.',
  }),
  mail_from: setting({
    kind: text('an e-mail address, or a name with one in angle brackets'),
    fallback: null,
    live: true,
    help: 'Sender of mail; by default no-reply at the host of the public address.',
  }),
  alerts_to: setting({
    kind: ADDRESSES,
    fallback: null,
    live: true,
    help: 'Who gets a mail when a file or a refresh is refused, a backup is late, the disk is below disk_floor, the certificate ends within 14 days or a new one was not issued, and when that is over.',
  }),
  alerts_language: setting({
    kind: choice(LANGUAGES),
    fallback: 'ro',
    live: true,
    help: 'Language of these mails.',
  }),
  require_second_factor: setting({
    kind: choice(['off', 'publishers', 'all']),
    fallback: 'off',
    help: 'Whose account must have a second factor before it can do more than turn one on. API keys keep working.',
  }),
  operate: setting({
    kind: choice(['on', 'loopback', 'off']),
    fallback: 'loopback',
    help: "Who reaches the operators' desk (/operate): every machine (on), this one alone (loopback), or none (off). All others get 404.",
  }),
  sign_in_retention: setting({
    kind: DURATION,
    fallback: '180d',
    help: 'How long the history of sign-ins goes back.',
  }),
}

export const LIMIT_SETTINGS = {
  very_large_rows: setting({
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    fallback: '1000000',
    unit: 'rows',
    help: 'Size of a dataset from which on a list counts its total only when asked to (count=true).',
  }),
  memory_budget: setting({
    kind: SIZE,
    fallback: '1GiB',
    help: 'Memory for open datasets; beyond it the least recently used ones are closed. A start fills up to a quarter of it with what was read last.',
  }),
  memory_ceiling: setting({
    kind: SIZE,
    fallback: null,
    help: 'Memory of the process above which queries and exports are refused with a 503, and 85% of which open datasets may fill; by default 85% of what the machine or container has.',
  }),
  query_deadline: setting({
    kind: {
      ...DURATION,
      expected: 'a duration such as 10s; 0 ends every query that is not answered within some milliseconds',
    },
    fallback: '10s',
    help: 'How long one query may run before it ends with a 503.',
  }),
  max_queries: setting({
    kind: integer(1, 10_000),
    fallback: '64',
    unit: 'queries',
    help: 'Queries longer than some milliseconds that may run at the same time; they take turns.',
  }),
  max_queries_per_key: setting({
    kind: integer(1, 10_000),
    fallback: '24',
    unit: 'queries',
    help: 'How many of these queries one key, or one address without a key, may run at the same time.',
  }),
  max_exports: setting({
    kind: integer(24, 1000),
    fallback: '32',
    unit: 'exports',
    help: 'Exports that one key may run at the same time; more are refused with a 503.',
  }),
  max_exports_total: setting({
    kind: integer(24, 10_000),
    fallback: '64',
    unit: 'exports',
    help: 'Exports that all keys together may run at the same time, and as many again without a key.',
  }),
  max_connections: setting({
    kind: integer(1, 1_000_000),
    fallback: null,
    unit: 'connections',
    help: 'Connections that a process accepts; beyond, new ones are refused. By default, and at most, as many as its limit of open files leaves beside those it needs itself.',
  }),
  max_connections_per_address: setting({
    kind: integer(2, 1_000_000),
    fallback: '256',
    unit: 'connections',
    help: 'Connections on which one address, or one IPv6 /64, may have requests in progress in a process; beyond, a request gets a 503 and its connection is closed. Trusted proxies and this machine are not counted.',
  }),
  bulk_files: setting({
    kind: SIZE,
    fallback: '4GiB',
    help: 'Disk for whole datasets, which are kept as files below files/ from their first download on; beyond it those not asked for longest are deleted. 0 keeps none: they have no length and no ranges then.',
  }),
}
