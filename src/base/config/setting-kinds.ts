/**
 * The kinds of values a setting can have: how a text becomes a value and, for values with units, a text again.
 * Each `parse` returns undefined for a text that it does not accept; it accepts what `write` returns.
 */

import { isIP } from 'node:net'
import { machineCores, sharesPorts } from '../process/machine.ts'
import { readPattern } from '../process/schedule.ts'
import { Networks } from '../text/ip-address.ts'
import { parseDomainLabels } from './domain-labels.ts'

export interface Kind<T> {
  /** What a value may be, in words that follow "expected". */
  readonly expected: string
  readonly parse: (text: string) => T | undefined
  /** The value as a text that `parse` accepts; without it, `String(value)`. */
  write?(value: T): string
}

/** Units as people write them; plain bytes and seconds have none. */
const DECIMAL_UNITS = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
const SIZE_UNITS = { ...DECIMAL_UNITS, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 }
const SECONDS_UNITS = { s: 1, m: 60, h: 3600, d: 86_400 }
const EMAIL = /^[^\s\p{Cc}@<>",]+@[^\s\p{Cc}@<>",]+\.[^\s\p{Cc}@<>",]+$/u
const HOST_SHAPE =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
const BUCKET_SHAPE = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)*\/?$/
const NUMBER_AND_UNIT = /^(\d{1,12}(?:\.\d{1,6})?) ?([a-z]*)$/

const MOST_WORKERS = 64

/** A number of processes; `auto` is one for each core, or one in all where processes cannot share a port. */
export const WORKERS: Kind<number> = {
  expected: `auto, or a whole number, 1 to ${MOST_WORKERS}`,
  parse: (given) => {
    if (given.trim().toLowerCase() !== 'auto') return parseInteger(1, MOST_WORKERS)(given)
    return sharesPorts ? Math.min(MOST_WORKERS, machineCores()) : 1
  },
}

/** Any text of one line. */
export function text(expected: string): Kind<string> {
  return { expected: `${expected}, without line breaks and control characters`, parse: readLine }
}

/** Trims the text. Line breaks would add headers to a mail, and TOML allows no other control characters. */
function readLine(given: string): string | undefined {
  const trimmed = given.trim()
  return trimmed === '' || /\p{Cc}/u.test(trimmed) ? undefined : trimmed
}

export function integer(least: number, most: number): Kind<number> {
  const bounds = most === Number.MAX_SAFE_INTEGER ? '' : `, ${least} to ${most}`
  return { expected: `a whole number${bounds}`, parse: parseInteger(least, most) }
}

export function choice<const T extends string>(choices: readonly T[]): Kind<T> {
  const expected = choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`
  return { expected, parse: (given) => choices.find((word) => word === given.trim().toLowerCase()) }
}

export const TRUE_FALSE: Kind<boolean> = { expected: 'true or false', parse: parseSwitch }
export const ON_OFF: Kind<boolean> = {
  expected: 'on or off',
  parse: parseSwitch,
  write: (value) => (value ? 'on' : 'off'),
}
export const PORT: Kind<number> = { expected: 'a port, 0 to 65535', parse: parseInteger(0, 65_535) }

/** `512MB` (powers of 1000), `2GiB` (powers of 1024), or plain bytes. The value is in bytes. */
export const SIZE = {
  expected: 'a size such as 512MB or 2GiB',
  parse: (given: string) => scaled(given, { b: 1, ...SIZE_UNITS }),
  write: (bytes: number) => writeScaled(bytes, SIZE_UNITS),
} satisfies Kind<number>

/** `10s`, `5m`, `1h`, `7d`, or plain seconds. The value is in seconds. */
export const DURATION = {
  expected: 'a duration such as 10s, 5m or 90d',
  parse: (given: string) => scaled(given, SECONDS_UNITS),
  write: (seconds: number) => writeScaled(seconds, SECONDS_UNITS),
} satisfies Kind<number>

/** `10%` or `0.1`, from 0 to 1. `1` could mean 1 % or 100 %, so it is refused. */
export const RATIO = {
  expected: 'a share such as 10% or 0.1; a whole number needs its sign, 1% or 100%',
  parse: parseRatio,
  /** Writes a fraction only where rounding would change the percentage. */
  write(ratio: number) {
    const percentage = `${plainDecimal(ratio * 100)}%`
    return parseRatio(percentage) === ratio ? percentage : plainDecimal(ratio)
  },
} satisfies Kind<number>

/** The address in a trimmed text, if its scheme fits; null for any other text. */
const readUrl = (text: string, scheme: RegExp) =>
  scheme.test(text) && readLine(text) === text ? URL.parse(text) : null
const WEB = /^https?:\/\//i

/** An http or https address without query and fragment; the value has no trailing slash. */
export const BASE_URL: Kind<string> = {
  expected: 'an address such as https://data.example.org, without query',
  parse(text) {
    const url = readUrl(text.trim(), WEB)
    if (url === null || url.search || url.hash || url.username || url.password) return undefined
    return url.origin + url.pathname.replace(/\/+$/, '')
  },
}

/** As `BASE_URL`, but encrypted. */
export const HTTPS_URL: Kind<string> = {
  expected: 'an https address such as https://ca.example.org/acme/directory, without query',
  parse(text) {
    const address = BASE_URL.parse(text)
    return address?.startsWith('https:') ? address : undefined
  },
}

/** Where to listen. A bare number is refused, although systems take it for an address. */
export const LISTEN_HOST: Kind<string> = {
  expected: 'an IP address, localhost or a host name, without port',
  parse(text) {
    const host = text.trim()
    return isIP(host) !== 0 || /^(?!(.*\.)?\d+\.?$)[\w.-]{1,253}$/.test(host) ? host : undefined
  },
}

/** A host name in lower-case ASCII. */
export const HOST_NAME: Kind<string> = {
  expected: 'a host name such as data.example.org, without https:// and port',
  parse(text) {
    const trimmed = text.trim()
    if (/[\s/:?#@[\]]/.test(trimmed)) return undefined
    const name = URL.parse(`https://${trimmed}`)?.hostname ?? ''
    return isIP(name) === 0 && HOST_SHAPE.test(name) ? name : undefined
  },
}

export const EMAIL_ADDRESS: Kind<string> = {
  expected: 'an e-mail address',
  parse: (text) => (EMAIL.test(text.trim()) ? text.trim() : undefined),
}

/** A passphrase that seals other secrets. */
export const PASSPHRASE: Kind<string> = {
  expected: 'a text of at least 16 characters, such as openssl rand -hex 32 prints',
  parse: (text) => (text.trim().length < 16 ? undefined : readLine(text)),
}

/** Where people can be reached: an e-mail address, or a page. */
export const CONTACT: Kind<string> = {
  expected: 'an e-mail address or an http or https address',
  parse(text) {
    const trimmed = text.trim()
    return EMAIL.test(trimmed) ? trimmed : readUrl(trimmed, WEB)?.href
  },
}

/** E-mail addresses, each once; the value has `, ` between them. */
export const ADDRESSES: Kind<string> = {
  expected: 'e-mail addresses, separated by commas',
  parse(text) {
    const addresses = text.split(',').map((one) => one.trim())
    return addresses.every((one) => EMAIL.test(one)) ? [...new Set(addresses)].join(', ') : undefined
  },
}

const HOST_SOURCE = /^(https?:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i

/** Sites as sources of a content security policy; the value has blanks between them, and is `'none'` for none. */
export const SITES: Kind<string> = {
  expected: '*, none, or sites such as example.org, *.example.org, separated by commas',
  parse(text) {
    const trimmed = text.trim()
    if (trimmed === '*') return trimmed
    if (/^'?none'?$/i.test(trimmed)) return "'none'"
    const sites = trimmed.split(/[\s,]+/)
    return sites.every((one) => HOST_SOURCE.test(one)) ? sites.join(' ') : undefined
  },
}

/** Labels of domains; the value has no blanks around them. */
export const DOMAIN_LABELS: Kind<string> = {
  expected: 'labels such as economy=Economie,economy.en=Economy',
  parse: parseDomainLabels,
}

export const SMTP_URL: Kind<string> = {
  expected: 'an address such as smtps://user:password@mail.example.org',
  parse(text) {
    return readUrl(text.trim(), /^smtps?:\/\//i)?.hostname ? text.trim() : undefined
  },
}

export const POSTGRES_URL: Kind<string> = {
  expected:
    'an address such as postgres://user:password@db.example.org/izvor, with ?sslmode= disable, require, verify-ca or verify-full where the default does not fit',
  parse(text) {
    const url = readUrl(text.trim(), /^postgres(ql)?:\/\//i)
    const mode = url?.searchParams.get('sslmode') ?? 'disable'
    const isTls = /^(disable|require|verify-ca|verify-full)$/.test(mode)
    return url?.hostname && isTls && /^\/[^/]+$/.test(url.pathname) ? text.trim() : undefined
  },
}

/** A bucket and a prefix in it; the value has no slash at the end. */
export const BUCKET: Kind<string> = {
  expected: 'a bucket such as s3://bucket/prefix',
  parse(text) {
    const trimmed = text.trim()
    const names = trimmed.split('/').slice(3)
    if (!BUCKET_SHAPE.test(trimmed) || names.some((name) => /^\.+$/.test(name))) return undefined
    return trimmed.replace(/\/$/, '')
  },
}

export const NETWORKS: Kind<string> = {
  expected: 'addresses and networks such as 127.0.0.1, 10.0.0.0/8, separated by commas',
  parse: (given) => (Networks.read(given) === undefined ? undefined : given.trim()),
}

/** A cron pattern of five fields, or a word such as `@daily`, with at least one time in the future. */
export const SCHEDULE: Kind<string> = {
  expected: 'a cron pattern such as "30 2 * * *" (02:30 every day, UTC)',
  parse(text) {
    const pattern = text.trim()
    try {
      return readPattern(pattern).nextRun() === null ? undefined : pattern
    } catch {
      return undefined
    }
  },
}

function parseSwitch(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  return undefined
}

export function parseInteger(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d{1,15}$/.test(text.trim())) return undefined
    const number = Number(text)
    return number >= least && number <= most ? number : undefined
  }
}

function parseRatio(text: string): number | undefined {
  const match = /^(\d{1,3}(?:\.\d{1,6})?) ?(%?)$/.exec(text.trim())
  if (!match) return undefined
  const isPercentage = match[2] === '%'
  const ratio = Number(match[1]) / (isPercentage ? 100 : 1)
  return ratio < 1 || (isPercentage && ratio === 1) ? ratio : undefined
}

function plainDecimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}

function writeScaled(value: number, units: Readonly<Record<string, number>>): string {
  let [unit, size] = ['', 0]
  for (const [name, factor] of Object.entries(units)) {
    if (value > 0 && value % factor === 0 && factor > size) [unit, size] = [name, factor]
  }
  return `${value / Math.max(size, 1)}${unit}`
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, word] = NUMBER_AND_UNIT.exec(text.trim().toLowerCase()) ?? []
  const factor = word === '' ? 1 : Object.entries(units).find(([unit]) => unit.toLowerCase() === word)?.[1]
  if (factor === undefined) return undefined
  const value = Math.round(Number(number) * factor)
  return Number.isSafeInteger(value) ? value : undefined
}
