/** @jsxImportSource preact */
import { useContext } from 'preact/hooks'
import type { Language } from '../../base/text/language.ts'
import { LOCALES } from '../../base/text/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { PageZone, useLanguage, useTexts } from './page-language.ts'

/** The time of an event; null means never. */
export function Moment({ at }: { at: string | null }) {
  const language = useLanguage()
  const timeZone = useContext(PageZone)
  const { never } = useTexts(ACCOUNT_TEXTS)
  if (at === null) return <>{never}</>
  return (
    <time dateTime={at} title={at}>
      {formatter(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at))}
    </time>
  )
}

/** As `Moment`, shorter and with seconds, for logs. */
export function Second({ at }: { at: string }) {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone: useContext(PageZone) } as const
  return (
    <time class="number nowrap" dateTime={at} title={at}>
      {formatter(useLanguage(), options).format(new Date(at))}
    </time>
  )
}

/** A UTC date as `5 mar.`. */
export function formatShortDay(language: Language, date: string): string {
  return formatter(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The value of a `datetime-local` input for a timestamp; empty when it is invalid. */
export function toLocalInput(timestamp: string): string {
  const moment = new Date(timestamp)
  if (Number.isNaN(moment.getTime())) return ''
  const pad = (value: number) => String(value).padStart(2, '0')
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`
  return `${day}T${pad(moment.getHours())}:${pad(moment.getMinutes())}`
}

/** @param second 0 for the beginning of the minute, 59 for its end */
export function fromLocalInput(text: string, second: 0 | 59): string {
  const moment = new Date(text)
  if (text === '' || Number.isNaN(moment.getTime())) return ''
  moment.setSeconds(second, 0)
  return moment.toISOString().replace('.000Z', 'Z')
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(LOCALES[language], options)
  formatters.set(key, known)
  return known
}
