import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { SETTINGS } from '../../src/base/config/config.ts'
import { type ConfigSources, describeSettings, loadConfig } from '../../src/base/config/load.ts'
import { DURATION, RATIO, SIZE } from '../../src/base/config/setting-kinds.ts'
import { CommandError } from '../../src/base/errors.ts'
import { tempDir } from '../support/temp-dir.ts'

function refusal(sources: ConfigSources): string {
  try {
    loadConfig(sources)
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError)
    expect((error as CommandError).kind).toBe('usage')
    return (error as Error).message
  }
  return 'accepted'
}

test('without any source every setting has its default', () => {
  const { values, origins } = loadConfig({})
  expect(values).toEqual({
    data: './izvor-data',
    host: '127.0.0.1',
    port: 3000,
    reuse_port: false,
    workers: 1,
    base_url: null,
    publisher: null,
    contact: null,
    domain_labels: null,
    public_browsing: true,
    public_per_minute: 300,
    embed_hosts: '*',
    smtp_url: null,
    smtp_insecure: false,
    mail_from: null,
    alerts_to: null,
    alerts_language: 'ro',
    require_second_factor: 'off',
    operate: 'loopback',
    sign_in_retention: 180 * 86_400,
    trusted_proxies: null,
    log_retention: 90 * 86_400,
    log_rows: 5_000_000,
    keep_versions: 2,
    max_quarantine: 0.1,
    max_mended: 0.05,
    personal_data: 'ask',
    max_upload: 2_000_000_000,
    publish_private_addresses: false,
    refresh: true,
    backup_schedule: null,
    backup_dir: null,
    backup_keep: 14,
    very_large_rows: 1_000_000,
    memory_budget: 2 ** 30,
    max_exports: 32,
    max_exports_total: 64,
    max_connections: null,
    max_connections_per_address: 256,
    bulk_files: 4 * 2 ** 30,
    query_deadline: 10,
    max_queries: 64,
    max_queries_per_key: 24,
    memory_ceiling: null,
    disk_floor: 256_000_000,
    log_level: 'info',
    access_log: false,
    server_timing: true,
    admin_port: null,
    tls_cert: null,
    tls_key: null,
    acme_host: null,
    acme_email: null,
    acme_directory: 'https://acme-v02.api.letsencrypt.org/directory',
    acme_ca: null,
    acme_http_port: 80,
    acme_secret: null,
    drain_delay: null,
    export_grace: null,
    shutdown_grace: 10,
    database_url: null,
    object_store: null,
    object_store_endpoint: null,
    version_cache: 0,
  })
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
})

test('a flag overrides a variable, a variable the file, the file the default', () => {
  const tomlText = 'port = 1\nhost = "toml"\ndata = "toml"\nreuse_port = true\n'
  const env = { IZVOR_PORT: '2', IZVOR_HOST: 'env', PATH: '/bin', IZVORX: 'no' }
  const { values, origins } = loadConfig({ flags: { port: '4', host: undefined }, env, tomlText })
  expect(values).toMatchObject({ port: 4, host: 'env', data: 'toml', reuse_port: true, keep_versions: 2 })
  expect(origins).toMatchObject({
    port: '--port',
    host: 'IZVOR_HOST',
    data: 'izvor.toml',
    reuse_port: 'izvor.toml',
    keep_versions: 'default',
  })
})

test('an empty variable counts as unset', () => {
  expect(loadConfig({ env: { IZVOR_BASE_URL: '', IZVOR_PORT: '' } }).values).toMatchObject({
    base_url: null,
    port: 3000,
  })
})

test('an unknown setting is refused by name, with a suggestion', () => {
  expect(refusal({ env: { IZVOR_PROT: '1' } })).toBe('unknown setting IZVOR_PROT; did you mean IZVOR_PORT?')
  expect(refusal({ env: { IZVOR_PORT_FILE: '/x' } })).toMatch(/^unknown setting IZVOR_PORT_FILE/)
  expect(refusal({ tomlText: 'hots = "x"' })).toMatch(
    /^unknown setting hots in izvor.toml; did you mean host/,
  )
  expect(refusal({ tomlText: '[network]\nport = 1' })).toBe('unknown setting network in izvor.toml')
  expect(refusal({ tomlText: 'toString = 1' })).toMatch(/^unknown setting toString in izvor.toml/)
})

test('a value that does not parse is refused with the setting, its source and what is expected', () => {
  expect(refusal({ env: { IZVOR_PORT: '70000' } })).toBe(
    'IZVOR_PORT cannot be "70000": expected a port, 0 to 65535',
  )
  expect(refusal({ flags: { port: 'http' } })).toBe('--port cannot be "http": expected a port, 0 to 65535')
  expect(refusal({ tomlText: 'port = 3.5' })).toBe(
    'port in izvor.toml cannot be "3.5": expected a port, 0 to 65535',
  )
  expect(refusal({ tomlText: 'port = [1]' })).toBe(
    'port in izvor.toml is not a single value: expected a port, 0 to 65535',
  )
  expect(refusal({ tomlText: 'port = ' })).toMatch(/^izvor.toml: /)
})

test('a database and an object store are set together or not at all', () => {
  const [database_url, object_store] = ['postgres://izvor:pw@db/izvor', 's3://izvor/prod']
  expect(loadConfig({ flags: { database_url, object_store } }).values).toMatchObject({ object_store })
  expect(refusal({ flags: { database_url } })).toBe(
    'database_url is set without object_store: set both, or neither',
  )
  expect(refusal({ flags: { object_store } })).toBe(
    'object_store is set without database_url: set both, or neither',
  )
  expect(refusal({ flags: { object_store_endpoint: 'http://localhost:9000' } })).toBe(
    'object_store_endpoint is set without object_store',
  )
  expect(refusal({ flags: { database_url: 'postgres://izvor:pw@db' } })).not.toContain('pw')
})

test('values are read with their units, within their bounds', () => {
  const read = (name: keyof typeof SETTINGS, text: string) => {
    try {
      return loadConfig({ flags: { [name]: text } }).values[name]
    } catch {
      return 'refused'
    }
  }
  const cases: [keyof typeof SETTINGS, Record<string, unknown>][] = [
    [
      'memory_budget',
      {
        '512MB': 512e6,
        '2GiB': 2 ** 31,
        '1.5 gb': 1.5e9,
        '0': 0,
        '12x': 'refused',
        '-1': 'refused',
        '1e9': 'refused',
        MB: 'refused',
      },
    ],
    [
      'shutdown_grace',
      { '90': 90, '10s': 10, '5m': 300, '1h': 3600, '2d': 172_800, '5 weeks': 'refused', '': 'refused' },
    ],
    [
      'max_quarantine',
      {
        '10%': 0.1,
        '0.1': 0.1,
        '0': 0,
        '100%': 1,
        '2.5 %': 0.025,
        '1': 'refused',
        '10': 'refused',
        '101%': 'refused',
        '-1%': 'refused',
      },
    ],
    ['reuse_port', { true: true, yes: true, on: true, '1': true, FALSE: false, no: false, maybe: 'refused' }],
    [
      'port',
      { '0': 0, '65535': 65_535, '65536': 'refused', '0x10': 'refused', '1.0': 'refused', '-1': 'refused' },
    ],
    ['keep_versions', { '1': 1, '0': 'refused', '101': 'refused' }],
    ['max_exports', { '24': 24, '23': 'refused' }],
    ['log_level', { WARN: 'warn', loud: 'refused' }],
    [
      'host',
      { '::1': '::1', localhost: 'localhost', '3055': 'refused', '10.0.0': 'refused', 'a b': 'refused' },
    ],
    ['publisher', { ' Școala nr. 7\n': 'Școala nr. 7', 'A\u007fB': 'refused' }],
    ['mail_from', { 'Izvor <a@b.ro>\r\nBcc: z@z.ro': 'refused' }],
    ['contact', { 'a\u007f@b.ro': 'refused', 'https://b.ro/\na': 'refused' }],
    ['smtp_url', { 'smtp://host\r\nx': 'refused' }],
    [
      'base_url',
      {
        'https://data.example.org': 'https://data.example.org',
        'https://Data.Example.org:8443/open/': 'https://data.example.org:8443/open',
        'ftp://example.org': 'refused',
        'example.org': 'refused',
        'https://example.org/?a=1': 'refused',
        'https://user:pw@example.org': 'refused',
      },
    ],
  ]
  for (const [name, expected] of cases) {
    for (const [text, value] of Object.entries(expected))
      expect(`${name} ${text}: ${read(name, text)}`).toBe(`${name} ${text}: ${value}`)
  }
})

test('a secret can come from a file, and is never shown', () => {
  const path = join(tempDir(), 'smtp')
  writeFileSync(path, 'smtp://user:pw@host\n')
  const loaded = loadConfig({ env: { IZVOR_SMTP_URL_FILE: path } })
  expect(loaded.values.smtp_url).toBe('smtp://user:pw@host')
  expect(loaded.origins.smtp_url).toBe('IZVOR_SMTP_URL_FILE')
  expect(describeSettings(loaded).find(({ name }) => name === 'smtp_url')).toMatchObject({
    value: '***',
    written: '***',
  })
  expect(describeSettings(loadConfig({})).find(({ name }) => name === 'smtp_url')).toMatchObject({
    value: null,
    origin: 'default',
  })

  const load = (env: Record<string, string>) => () => loadConfig({ env })
  expect(load({ IZVOR_SMTP_URL: 'smtp://a', IZVOR_SMTP_URL_FILE: path })).toThrow(/both set/)
  expect(load({ IZVOR_SMTP_URL_FILE: `${path}x` })).toThrow(
    /IZVOR_SMTP_URL_FILE names the file .*smtpx, which cannot be read: it does not exist/,
  )
  expect(load({ IZVOR_SMTP_URL: ' \0secret' })).toThrow(
    new CommandError(
      'usage',
      'IZVOR_SMTP_URL has a value that does not fit: expected an address such as smtps://user:password@mail.example.org',
    ),
  )
})

test('the description lists every setting with its value, origin, variable and default', () => {
  const rows = describeSettings(loadConfig({ env: { IZVOR_PORT: '80' } }))
  expect(rows.map((row) => row.name)).toEqual(Object.keys(SETTINGS))
  expect(rows.find((row) => row.name === 'port')).toEqual({
    name: 'port',
    value: 80,
    written: '80',
    origin: 'IZVOR_PORT',
    env: 'IZVOR_PORT',
    flag: '--port',
    default: '3000',
    help: SETTINGS.port.help,
  })
  for (const row of rows) expect(row.help.length).toBeGreaterThan(20)
})

describe('settings as a person would write them', () => {
  test('a default is shown as it is in the table', () => {
    for (const { name, written, default: fallback } of describeSettings(loadConfig({}))) {
      expect([name, written]).toEqual([name, fallback])
    }
  })

  test.each([
    ['memory_budget', '1536MiB', '1536MiB'],
    ['memory_budget', '2048 mib', '2GiB'],
    ['memory_budget', '1500000000', '1500MB'],
    ['memory_budget', '1234', '1234'],
    ['memory_budget', '0', '0'],
    ['log_retention', '36h', '36h'],
    ['log_retention', '24h', '1d'],
    ['shutdown_grace', '90', '90s'],
    ['max_quarantine', '0.125', '12.5%'],
    ['max_quarantine', '0', '0%'],
    ['max_quarantine', '100%', '100%'],
    ['reuse_port', 'on', 'true'],
  ])('%s given as %s is shown as %s', (name, text, written) => {
    const settings = describeSettings(loadConfig({ env: { [`IZVOR_${name.toUpperCase()}`]: text } }))
    expect(settings.find((setting) => setting.name === name)?.written).toBe(written)
  })

  test('a displayed value reads back as the same value', () => {
    const whole = fc.nat({ max: 2 ** 40 })
    const units = (names: readonly string[]) =>
      fc.tuple(whole, fc.constantFrom(...names)).map((t) => t.join(''))
    const roundTrips =
      <T>({ parse, write }: { parse: (text: string) => T | undefined; write: (value: T) => string }) =>
      (text: string) => {
        const value = parse(text)
        if (value !== undefined) expect(parse(write(value))).toEqual(value)
      }
    fc.assert(fc.property(units(['', 'kB', 'MB', 'GB', 'KiB', 'MiB', 'GiB']), roundTrips(SIZE)))
    fc.assert(fc.property(units(['', 's', 'm', 'h', 'd']), roundTrips(DURATION)))
    const share = fc.nat({ max: 1_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6))
    const percent = fc.nat({ max: 100_000_000 }).map((millionths) => `${(millionths / 1e6).toFixed(6)}%`)
    fc.assert(fc.property(fc.oneof(share, percent), roundTrips(RATIO)))
  })
})
