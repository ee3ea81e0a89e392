/**
 * Reads the settings. A value comes from the command line, else from an `IZVOR_*` variable, else from `izvor.toml`, else
 * from the table. A name that is not in the table stops the start.
 */

import { parse as parseToml } from 'smol-toml'
import { CommandError } from '../errors.ts'
import { readRegularText } from '../process/regular-file.ts'
import { suggest } from '../text/suggest.ts'
import { explainFailure } from '../text/system-failure.ts'
import { type Config, SETTINGS, type SettingName } from './config.ts'
import { type Setting, type Table, variableOf } from './setting.ts'
import { SETTINGS_FILE } from './settings-file.ts'

export interface LoadedConfig {
  readonly values: Config
  /** Where each value came from: `--port`, `IZVOR_PORT`, `IZVOR_PORT_FILE`, `izvor.toml`, `acme_host` or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>
}

export interface ConfigSources {
  readonly flags?: { readonly [K in SettingName]?: string | number | boolean | undefined }
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly tomlText?: string | undefined
}

const PREFIX = variableOf('')

const ROWS = Object.entries(SETTINGS as Table) as [SettingName, Setting<unknown>][]

/**
 * Every setting with its value. An empty variable counts as not set.
 * @throws CommandError `usage` for an unknown setting or a value that does not parse, with its name and place, and for
 *   one of two settings that belong together
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const toml = readToml(sources.tomlText ?? '')
  const env = readEnv(sources.env ?? {})
  const values: Record<string, unknown> = {}
  const isAcme = [sources.flags?.acme_host, env.get('acme_host'), toml.get('acme_host')].some(Boolean)
  const origins: Record<string, string> = {}
  for (const [name, definition] of ROWS) {
    const flag = sources.flags?.[name]
    const given =
      flag === undefined
        ? (env.get(name) ?? toml.get(name))
        : { text: String(flag), origin: definition.flag ?? name }
    const { kind, secret } = definition
    const place = isAcme ? PUBLIC_PLACE[name] : undefined
    const text = given === undefined ? (place ?? definition.fallback) : given.text
    origins[name] = given?.origin ?? (place === undefined ? 'default' : 'acme_host')
    values[name] = text === null ? null : kind.parse(text)
    if (values[name] !== undefined) continue
    const where = given?.origin === SETTINGS_FILE ? `${name} in ${SETTINGS_FILE}` : origins[name]
    const shown = secret ? 'has a value that does not fit' : `cannot be "${text}"`
    throw new CommandError('usage', `${where} ${shown}: expected ${kind.expected}`)
  }
  const loaded = { values, origins } as unknown as LoadedConfig
  refuseHalves(loaded.values)
  const { acme_host, port } = loaded.values
  if (acme_host !== null && values.base_url === null) {
    values.base_url = `https://${acme_host}${port === 443 ? '' : `:${port}`}`
    origins.base_url = 'acme_host'
  }
  return loaded
}

/** Where a service with a certificate by ACME listens, unless told otherwise. */
const PUBLIC_PLACE: { readonly [name in SettingName]?: string } = { host: '0.0.0.0', port: '443' }

/** @throws CommandError `usage` for settings that belong together or exclude each other */
function refuseHalves(values: Config): void {
  const { database_url, object_store, object_store_endpoint, acme_host, acme_secret } = values
  // The tables and the files of several nodes leave the data directory together or not at all.
  if (object_store_endpoint !== null && object_store === null)
    throw new CommandError('usage', 'object_store_endpoint is set without object_store')
  const pair = ['database_url', 'object_store']
  const [set, missing] = object_store === null ? pair : pair.toReversed()
  if ((database_url === null) !== (object_store === null))
    throw new CommandError('usage', `${set} is set without ${missing}: set both, or neither`)
  if (acme_host === null) return
  if (values.tls_cert !== null || values.tls_key !== null)
    throw new CommandError(
      'usage',
      'acme_host and tls_cert are both set: a certificate comes from one of them',
    )
  if (database_url !== null && acme_secret === null)
    throw new CommandError('usage', 'acme_host on nodes needs acme_secret, the same on all of them')
}

/** Settings that a running service applies without a restart. */
export const LIVE_SETTINGS: readonly SettingName[] = ROWS.flatMap(([name, { live }]) => (live ? [name] : []))

export function describeSettings({ values, origins }: LoadedConfig) {
  return ROWS.map(([name, { kind, flag = null, fallback, help, secret }]) => {
    const value = values[name]
    return {
      name: name as string,
      /** A secret's value is `***`, or null when not set. */
      value: secret && value !== null ? '***' : value,
      /** The value as people write it: `1GiB`, `10%`. */
      written: value === null ? null : secret ? '***' : (kind.write?.(value) ?? String(value)),
      origin: origins[name],
      env: variableOf(name),
      flag,
      default: fallback,
      help,
    }
  })
}

/** The settings given on the command line, as people write them. */
export function givenByOptions(loaded: LoadedConfig) {
  return describeSettings(loaded).flatMap(({ name, env, origin, written }) =>
    origin?.startsWith('--') && written !== null ? [{ name, env, written }] : [],
  )
}

type Given = { readonly text: string; readonly origin: string }

function readEnv(env: Readonly<Record<string, string | undefined>>): Map<string, Given> {
  const variables = new Map<string, { name: string; fromFile: boolean }>()
  for (const [name, { secret }] of ROWS) {
    variables.set(variableOf(name), { name, fromFile: false })
    if (secret) variables.set(`${variableOf(name)}_FILE`, { name, fromFile: true })
  }
  const given = new Map<string, Given>()
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || text === undefined || text === '') continue
    const target = variables.get(variable)
    if (!target) throw unknownSetting(variable, variable.slice(PREFIX.length), variableOf)
    if (given.has(target.name))
      throw new CommandError(
        'usage',
        `${variableOf(target.name)} and ${variableOf(target.name)}_FILE are both set: keep one of them`,
      )
    given.set(target.name, {
      text: target.fromFile ? readSecretFile(variable, text) : text,
      origin: variable,
    })
  }
  return given
}

function readToml(text: string): Map<string, Given> {
  const given = new Map<string, Given>()
  let table: Record<string, unknown>
  try {
    table = parseToml(text)
  } catch (error) {
    throw new CommandError('usage', `${SETTINGS_FILE}: ${(error as Error).message.trim()}`)
  }
  for (const [name, value] of Object.entries(table)) {
    if (!Object.hasOwn(SETTINGS, name))
      throw unknownSetting(`${name} in ${SETTINGS_FILE}`, name, (near) => near)
    if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value)) {
      throw new CommandError(
        'usage',
        `${name} in ${SETTINGS_FILE} is not a single value: expected ${SETTINGS[name as SettingName].kind.expected}`,
      )
    }
    given.set(name, { text: String(value), origin: SETTINGS_FILE })
  }
  return given
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readRegularText(path).replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandError(
      'usage',
      `${variable} names the file ${path}, which cannot be read: ${explainFailure(error)}`,
    )
  }
}

function unknownSetting(where: string, word: string, shown: (name: string) => string): CommandError {
  const near = suggest(word, Object.keys(SETTINGS)).map(shown)
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
  return new CommandError('usage', `unknown setting ${where}${hint}`)
}
