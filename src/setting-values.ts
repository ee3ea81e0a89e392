/**
 * How a setting's text becomes its value, and where the value would be hard to read, how it becomes a text again.
 * Each `parse…` returns undefined for a text it does not understand; what `write…` returns is understood.
 */

import { Cron } from 'croner'
import { Networks } from './text/ip-address.ts'

const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}
const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }
/** Units as people write them; a byte needs none, as in the settings' own defaults. */
const SIZE_SPELLINGS = {
  ...{ kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 },
}
const SECONDS_SPELLINGS = { s: 1, m: 60, h: 3600, d: 86_400 }
const NUMBER_AND_UNIT = /^(\d{1,12}(?:\.\d{1,6})?) ?([a-z]*)$/

export function parseText(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' || trimmed.includes('\0') ? undefined : trimmed
}

export function parseSwitch(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (['true', 'yes', 'on', '1'].includes(word)) return true
  if (['false', 'no', 'off', '0'].includes(word)) return false
  return undefined
}

/** A whole number within bounds, both included. */
export function parseInteger(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    if (!/^\d{1,15}$/.test(text.trim())) return undefined
    const number = Number(text)
    return number >= least && number <= most ? number : undefined
  }
}

/** `10%` or `0.1`, from nothing to everything. `1` could mean 1 % as well as all of it, and is not understood. */
function parseRatio(text: string): number | undefined {
  const match = /^(\d{1,3}(?:\.\d{1,6})?) ?(%?)$/.exec(text.trim())
  if (!match) return undefined
  const isPercentage = match[2] === '%'
  const ratio = Number(match[1]) / (isPercentage ? 100 : 1)
  return ratio < 1 || (isPercentage && ratio === 1) ? ratio : undefined
}

/** `512MB` (powers of 1000), `2GiB` (powers of 1024), or plain bytes. Returns whole bytes. */
function parseSize(text: string): number | undefined {
  return scaled(text, SIZE_UNITS)
}

/** `10s`, `5m`, `1h`, `7d`, or plain seconds. Returns whole seconds. */
function parseDuration(text: string): number | undefined {
  return scaled(text, SECONDS_PER_UNIT)
}

/** The other way round: `1GiB`, `256MB`, in the largest unit that leaves a whole number. */
function writeSize(bytes: number): string {
  return writeScaled(bytes, SIZE_SPELLINGS)
}

/** The other way round: `90d`, `10s`. */
function writeDuration(seconds: number): string {
  return writeScaled(seconds, SECONDS_SPELLINGS)
}

/** The other way round: `10%`; as a fraction only where the percentage would be another number. */
function writeRatio(ratio: number): string {
  const percentage = `${plainDecimal(ratio * 100)}%`
  return parseRatio(percentage) === ratio ? percentage : plainDecimal(ratio)
}

function plainDecimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}

/** Settings that are read from a text with a unit, and shown as one. */
export const SIZE = { parse: parseSize, write: writeSize }
export const DURATION = { parse: parseDuration, write: writeDuration }
export const RATIO = { parse: parseRatio, write: writeRatio }

/** An http or https address without query and fragment; returned without its trailing slash. */
export function parseBaseUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(trimmed)
  if (search || hash || username || password) return undefined
  return origin + pathname.replace(/\/+$/, '')
}

/** Where people can be reached: an e-mail address, or a page. */
export function parseContact(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(trimmed)) return trimmed
  return /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).href : undefined
}

/** The address of a mail server. */
export function parseSmtpUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (!/^smtps?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  return new URL(trimmed).hostname === '' ? undefined : trimmed
}

/** Addresses and networks, separated by commas. */
export function parseNetworks(text: string): string | undefined {
  return Networks.read(text) === undefined ? undefined : text.trim()
}

/** One of a few words. */
export function parseChoice<T extends string>(choices: readonly T[]): (text: string) => T | undefined {
  return (text) => choices.find((choice) => choice === text.trim().toLowerCase())
}

/** A cron pattern of five parts, or a word such as `@daily`, that names a moment which comes. */
export function parseSchedule(text: string): string | undefined {
  const pattern = text.trim()
  try {
    const schedule = new Cron(pattern, { paused: true, timezone: 'UTC', mode: '5-part' })
    return schedule.nextRun() === null ? undefined : pattern
  } catch {
    return undefined
  }
}

function writeScaled(value: number, spellings: Readonly<Record<string, number>>): string {
  let [unit, size] = ['', 0]
  for (const [name, factor] of Object.entries(spellings)) {
    if (value > 0 && value % factor === 0 && factor > size) [unit, size] = [name, factor]
  }
  return `${value / Math.max(size, 1)}${unit}`
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = NUMBER_AND_UNIT.exec(text.trim().toLowerCase())
  const unit = match && Object.hasOwn(units, match[2]!) ? units[match[2]!] : undefined
  if (!match || unit === undefined) return undefined
  const value = Math.round(Number(match[1]) * unit)
  return Number.isSafeInteger(value) ? value : undefined
}
