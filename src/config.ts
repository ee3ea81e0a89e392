/**
 * Every setting: its name, where it can be set, what it accepts, what it does. A value comes from the command line,
 * else from an `IZVOR_*` variable, else from `izvor.toml`, else from here. What is not in this table stops the start.
 */

import { readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { CommandError } from './errors.ts'
import {
  DURATION,
  parseBaseUrl,
  parseChoice,
  parseContact,
  parseInteger,
  parseNetworks,
  parseSchedule,
  parseSmtpUrl,
  parseSwitch,
  parseText,
  RATIO,
  SIZE,
} from './setting-values.ts'
import { suggest } from './text/suggest.ts'
import { explainFailure } from './text/system-failure.ts'

export interface Setting<T> {
  /** Option of the commands that have it, or null. */
  readonly flag: string | null
  /** As one would write it; null: none. */
  readonly fallback: string | null
  /** What a value may be, for the message that refuses one. */
  readonly expected: string
  readonly help: string
  /** Never printed, and readable from a file named by `IZVOR_<NAME>_FILE`. */
  readonly secret?: boolean
  readonly parse: (text: string) => T | undefined
  /** The value as one would write it, and `parse` would read it; by default as it is. */
  write?(value: T): string
}

/** A setting that always has a value. */
function setting<T>(definition: Omit<Setting<T>, 'fallback'> & { fallback: string }): Setting<T> {
  return definition
}

/** A setting that may have none. */
function optional<T>(definition: Omit<Setting<T>, 'fallback'>): Setting<T | null> {
  return { ...definition, fallback: null }
}

export const SETTINGS = {
  data: setting({
    flag: '--data',
    fallback: './izvor-data',
    expected: 'a folder',
    help: 'Folder that holds everything: accounts, catalog, datasets.',
    parse: parseText,
  }),
  host: setting({
    flag: '--host',
    fallback: '127.0.0.1',
    expected: 'an address or host name',
    help: 'Network address to listen on; 0.0.0.0 for all.',
    parse: parseText,
  }),
  port: setting({
    flag: '--port',
    fallback: '3000',
    expected: 'a port, 0 to 65535',
    help: 'TCP port to listen on; 0 takes a free one.',
    parse: parseInteger(0, 65_535),
  }),
  reuse_port: setting({
    flag: '--reuse-port',
    fallback: 'false',
    expected: 'true or false',
    help: 'Share the port with other processes that ask for it too, for restarts without a gap.',
    parse: parseSwitch,
  }),
  base_url: optional({
    flag: null,
    expected: 'an address such as https://data.example.org, without query',
    help: 'Public address of the service, for links in answers; by default the one each request came to.',
    parse: parseBaseUrl,
  }),
  publisher: optional({
    flag: null,
    expected: 'a name',
    help: 'Institution that runs the service, named to people and in the catalog documents.',
    parse: parseText,
  }),
  contact: optional({
    flag: null,
    expected: 'an e-mail address or an http or https address',
    help: 'Where questions about the data are answered, named in the catalog documents.',
    parse: parseContact,
  }),
  public_browsing: setting({
    flag: null,
    fallback: 'true',
    expected: 'true or false',
    help: 'Let everybody look at rows and download files on the pages, without a key.',
    parse: parseSwitch,
  }),
  public_per_minute: setting({
    flag: null,
    fallback: '300',
    expected: 'a whole number, 1 to 1000000',
    help: 'Requests for rows, charts, files and dataset pages that one address may make a minute without a key.',
    parse: parseInteger(1, 1_000_000),
  }),
  smtp_url: optional({
    flag: null,
    expected: 'an address such as smtps://user:password@mail.example.org',
    help: 'Mail server: smtp:// or smtps://, with user and password where it needs them; without one, mail goes to the log.',
    secret: true,
    parse: parseSmtpUrl,
  }),
  mail_from: optional({
    flag: null,
    expected: 'an e-mail address, or a name with one in angle brackets',
    help: 'Sender of mail; by default no-reply at the host of the public address.',
    parse: parseText,
  }),
  sign_in_retention: setting({
    flag: null,
    fallback: '180d',
    expected: 'a duration such as 180d',
    help: 'How long the history of sign-ins goes back.',
    ...DURATION,
  }),
  trusted_proxies: optional({
    flag: null,
    expected: 'addresses and networks such as 127.0.0.1, 10.0.0.0/8, separated by commas',
    help: 'Reverse proxies whose X-Forwarded-For is believed; without any, the address of the connection is the client.',
    parse: parseNetworks,
  }),
  log_retention: setting({
    flag: null,
    fallback: '90d',
    expected: 'a duration such as 90d',
    help: 'How long the request log goes back.',
    ...DURATION,
  }),
  log_rows: setting({
    flag: null,
    fallback: '5000000',
    expected: 'a whole number, 1000 to 1000000000',
    help: 'Records that the request log keeps at most; the oldest go first.',
    parse: parseInteger(1000, 1_000_000_000),
  }),
  keep_versions: setting({
    flag: null,
    fallback: '2',
    expected: 'a whole number, 1 to 100',
    help: 'Versions of a dataset that stay after an ingest, the served one included; a rollback needs 2.',
    parse: parseInteger(1, 100),
  }),
  max_quarantine: setting({
    flag: '--max-quarantine',
    fallback: '10%',
    expected: 'a share such as 10% or 0.1; a whole number needs its sign, 1% or 100%',
    help: 'Share of refused rows above which an ingest as a whole is refused.',
    ...RATIO,
  }),
  personal_data: setting({
    flag: null,
    fallback: 'warn',
    expected: 'warn or strict',
    help: 'What an ingest does about columns that look like data about people and are not acknowledged.',
    parse: parseChoice(['warn', 'strict'] as const),
  }),
  refresh: setting({
    flag: null,
    fallback: 'on',
    expected: 'on or off',
    help: 'Whether serve fetches datasets again by the schedules in their definitions.',
    parse: parseSwitch,
    write: (value) => (value ? 'on' : 'off'),
  }),
  backup_schedule: optional({
    flag: null,
    expected: 'a cron pattern such as "30 2 * * *" (02:30 every day, UTC)',
    help: 'When serve backs up to backup_dir, in UTC; never without one.',
    parse: parseSchedule,
  }),
  backup_dir: optional({
    flag: null,
    expected: 'a folder, best on another disk',
    help: 'Folder for backups by schedule.',
    parse: parseText,
  }),
  backup_keep: setting({
    flag: null,
    fallback: '14',
    expected: 'a whole number, 1 to 10000',
    help: 'Backups of this data folder that stay in backup_dir; the oldest go first.',
    parse: parseInteger(1, 10_000),
  }),
  very_large_rows: setting({
    flag: null,
    fallback: '1000000',
    expected: 'a whole number',
    help: 'From this many rows on, a list counts its total only when asked to (count=true).',
    parse: parseInteger(0, Number.MAX_SAFE_INTEGER),
  }),
  memory_budget: setting({
    flag: null,
    fallback: '1GiB',
    expected: 'a size such as 512MB or 2GiB',
    help: 'Memory for datasets that are open at the same time; the least recently used are closed beyond it.',
    ...SIZE,
  }),
  max_exports: setting({
    flag: null,
    fallback: '32',
    expected: 'a whole number, 24 to 1000',
    help: 'Exports that one key may run at the same time; more are refused with a 503.',
    parse: parseInteger(24, 1000),
  }),
  max_exports_total: setting({
    flag: null,
    fallback: '64',
    expected: 'a whole number, 24 to 10000',
    help: 'Exports that may run at the same time, of all keys together; as many again without a key.',
    parse: parseInteger(24, 10_000),
  }),
  query_deadline: setting({
    flag: null,
    fallback: '10s',
    expected: 'a duration such as 10s; 0 ends every query that is not answered within some milliseconds',
    help: 'How long one query may be worked on before it is ended with a 503.',
    ...DURATION,
  }),
  max_queries: setting({
    flag: null,
    fallback: '64',
    expected: 'a whole number, 1 to 10000',
    help: 'Queries longer than some milliseconds that may be worked on at the same time; each one delays the others.',
    parse: parseInteger(1, 10_000),
  }),
  max_queries_per_key: setting({
    flag: null,
    fallback: '24',
    expected: 'a whole number, 1 to 10000',
    help: 'How many of them may be of one key, or of one address without a key.',
    parse: parseInteger(1, 10_000),
  }),
  memory_ceiling: optional({
    flag: null,
    expected: 'a size such as 512MB or 2GiB',
    help: 'Memory of the process above which queries and exports are refused with a 503 until it is less; datasets grow up to 85% of it. By default 85% of what the machine or container has.',
    parse: SIZE.parse,
    write: (value) => (value === null ? '' : SIZE.write(value)),
  }),
  disk_floor: setting({
    flag: null,
    fallback: '256MB',
    expected: 'a size such as 512MB or 2GiB',
    help: 'Free space on the data disk below which the service says that it is not ready.',
    ...SIZE,
  }),
  log_level: setting({
    flag: null,
    fallback: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    help: 'Least serious messages that are still logged.',
    parse: parseChoice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }),
  access_log: setting({
    flag: null,
    fallback: 'off',
    expected: 'on or off',
    help: 'Whether every answer is a line of the log, at the level info.',
    parse: parseSwitch,
    write: (value) => (value ? 'on' : 'off'),
  }),
  server_timing: setting({
    flag: null,
    fallback: 'on',
    expected: 'on or off',
    help: 'Whether answers to keys tell in Server-Timing how long they took.',
    parse: parseSwitch,
    write: (value) => (value ? 'on' : 'off'),
  }),
  admin_port: optional({
    flag: '--admin-port',
    expected: 'a port, 0 to 65535',
    help: 'TCP port for /metrics (Prometheus), on the loopback address alone; none without it.',
    parse: parseInteger(0, 65_535),
  }),
  tls_cert: optional({
    flag: '--tls-cert',
    expected: 'a PEM file',
    help: 'Certificate, with its chain: the service then speaks HTTPS. Read again on SIGHUP.',
    parse: parseText,
  }),
  tls_key: optional({
    flag: '--tls-key',
    expected: 'a PEM file',
    help: 'Private key of the certificate.',
    parse: parseText,
  }),
  drain_delay: optional({
    flag: null,
    expected: 'a duration such as 2s',
    help: 'How long requests are still accepted, while /health/ready says no, after the service was asked to stop; by default 0, with reuse_port 1s.',
    parse: DURATION.parse,
    write: (value) => (value === null ? '' : DURATION.write(value)),
  }),
  export_grace: optional({
    flag: null,
    expected: 'a duration such as 10s or 5m',
    help: 'How long running exports may go on after the service was asked to stop; by default as shutdown_grace.',
    parse: DURATION.parse,
    write: (value) => (value === null ? '' : DURATION.write(value)),
  }),
  shutdown_grace: setting({
    flag: null,
    fallback: '10s',
    expected: 'a duration such as 10s or 5m',
    help: 'How long running requests may go on after the service was asked to stop.',
    ...DURATION,
  }),
} as const

type Table = Readonly<Record<string, Setting<unknown>>>
type Values<T extends Table> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never }

/** Sizes in bytes, durations in seconds, shares from 0 to 1. */
export type Config = Values<typeof SETTINGS>
export type SettingName = keyof Config

export interface Loaded<T extends Table> {
  readonly values: Values<T>
  /** Where each value came from: `--port`, `IZVOR_PORT`, `IZVOR_PORT_FILE`, `izvor.toml` or `default`. */
  readonly origins: Readonly<Record<keyof T, string>>
}
export type LoadedConfig = Loaded<typeof SETTINGS>

export interface ConfigSources<Name extends string = SettingName> {
  /** Options given on the command line, by setting name. */
  readonly flags?: { readonly [K in Name]?: string | number | boolean | undefined }
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Contents of `izvor.toml`, when there is one. */
  readonly tomlText?: string | undefined
}

const TOML = 'izvor.toml'
const PREFIX = 'IZVOR_'

/** @throws CommandError `usage` for an unknown setting or a value that does not parse, naming it and where it stands */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  return loadSettings(SETTINGS, sources)
}

/** As `loadConfig`, over any table. An empty variable counts as not set, as in most programs. */
export function loadSettings<T extends Table>(table: T, sources: ConfigSources<keyof T & string>): Loaded<T> {
  const toml = readToml(sources.tomlText ?? '', table)
  const env = readEnv(sources.env ?? {}, table)
  const values: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const [name, definition] of Object.entries(table)) {
    const flag = sources.flags?.[name]
    const given =
      flag === undefined
        ? (env.get(name) ?? toml.get(name))
        : { text: String(flag), origin: definition.flag ?? name }
    origins[name] = given?.origin ?? 'default'
    values[name] = given ? parseGiven(name, definition, given) : parseFallback(definition)
  }
  return { values, origins } as unknown as Loaded<T>
}

export interface SettingDescription {
  readonly name: string
  /** A secret's value is `***`, or null when not set. */
  readonly value: string | number | boolean | null
  /** The value as one would write it: `1GiB`, `10%`. */
  readonly written: string | null
  readonly origin: string
  readonly env: string
  readonly flag: string | null
  readonly default: string | null
  readonly help: string
}

/** One row per setting in the table's order, fit to be printed. */
export function describeSettings<T extends Table = typeof SETTINGS>(
  loaded: Loaded<T>,
  table: T = SETTINGS as unknown as T,
): SettingDescription[] {
  return Object.entries(table).map(([name, { flag, fallback, help, secret, write = String }]) => {
    const value = loaded.values[name as keyof T] as string | number | boolean | null
    const origin = loaded.origins[name as keyof T]
    return {
      name,
      value: secret && value !== null ? '***' : value,
      written: value === null ? null : secret ? '***' : write(value),
      origin,
      env: envName(name),
      flag,
      default: fallback,
      help,
    }
  })
}

interface Given {
  readonly text: string
  readonly origin: string
}

function envName(name: string): string {
  return PREFIX + name.toUpperCase()
}

function parseGiven(name: string, definition: Setting<unknown>, given: Given): unknown {
  const value = definition.parse(given.text)
  if (value !== undefined) return value
  const where = given.origin === TOML ? `${name} in ${TOML}` : given.origin
  const shown = definition.secret ? 'has a value that does not fit' : `cannot be "${given.text}"`
  throw new CommandError('usage', `${where} ${shown}: expected ${definition.expected}`)
}

function parseFallback(definition: Setting<unknown>): unknown {
  return definition.fallback === null ? null : definition.parse(definition.fallback)
}

function readEnv(env: Readonly<Record<string, string | undefined>>, table: Table): Map<string, Given> {
  const variables = new Map<string, { name: string; fromFile: boolean }>()
  for (const [name, { secret }] of Object.entries(table)) {
    variables.set(envName(name), { name, fromFile: false })
    if (secret) variables.set(`${envName(name)}_FILE`, { name, fromFile: true })
  }
  const given = new Map<string, Given>()
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || text === undefined || text === '') continue
    const target = variables.get(variable)
    if (!target) throw unknownSetting(variable, variable.slice(PREFIX.length), table, envName)
    if (given.has(target.name))
      throw new CommandError(
        'usage',
        `${envName(target.name)} and ${envName(target.name)}_FILE are both set: keep one of them`,
      )
    given.set(target.name, {
      text: target.fromFile ? readSecretFile(variable, text) : text,
      origin: variable,
    })
  }
  return given
}

function readToml(text: string, table: Table): Map<string, Given> {
  const given = new Map<string, Given>()
  for (const [name, value] of Object.entries(parseTomlText(text))) {
    if (!Object.hasOwn(table, name)) throw unknownSetting(`${name} in ${TOML}`, name, table, (near) => near)
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value)) {
      throw new CommandError(
        'usage',
        `${name} in ${TOML} is not a single value: expected ${table[name]?.expected}`,
      )
    }
    given.set(name, { text: String(value), origin: TOML })
  }
  return given
}

function parseTomlText(text: string): Record<string, unknown> {
  try {
    return parseToml(text)
  } catch (error) {
    throw new CommandError('usage', `${TOML}: ${(error as Error).message.trim()}`)
  }
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandError(
      'usage',
      `${variable} names the file ${path}, which cannot be read: ${explainFailure(error)}`,
    )
  }
}

/** @param shown how a setting's name is written where the unknown one stands */
function unknownSetting(
  where: string,
  word: string,
  table: Table,
  shown: (name: string) => string,
): CommandError {
  const near = suggest(word, Object.keys(table)).map(shown)
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
  return new CommandError('usage', `unknown setting ${where}${hint}`)
}
