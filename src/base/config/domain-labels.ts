/** The setting `domain_labels`, names of domains for people: `economy=Economie,economy.en=Economy`. */

import { LANGUAGES, type Language } from '../text/language.ts'

const ENTRY = /^([a-z0-9_]{1,64})(?:\.([a-z]{2}))?=(.{1,100})$/u

/** @returns the same labels without blanks around them; undefined for a text that isn't a list of them */
export function parseDomainLabels(text: string): string | undefined {
  const entries = text.split(',').map((entry) => entry.trim().replace(/\s*=\s*/, '='))
  const isLabel = (entry: string) => {
    const [, , language] = ENTRY.exec(entry) ?? [undefined, undefined, '?']
    return language === undefined || LANGUAGES.some((known) => known === language)
  }
  return entries.every(isLabel) ? entries.join(',') : undefined
}

/** @returns a domain's label in a language, or its label for all languages; undefined when it has neither */
export function domainLabel(labels: string | null, language: Language, domain: string): string | undefined {
  const entries = labels?.split(',').map((entry) => ENTRY.exec(entry) ?? []) ?? []
  const labelIn = (wanted: Language | undefined) =>
    entries.find(([, name, language]) => name === domain && language === wanted)?.[3]
  return labelIn(language) ?? labelIn(undefined)
}
