import { domainLabel } from '../../base/config/domain-labels.ts'
import type { Language } from '../../base/text/language.ts'
import { DOMAIN_TEXTS } from '../texts/parts.ts'

/** A page's language, and the setting `domain_labels`. */
interface Naming {
  readonly language: Language
  readonly domainLabels: string | null
}

/** The name of a domain for people: the operator's, else the usual one, else the id in words. */
export function domainName({ language, domainLabels }: Naming, domain: string): string {
  const label = domainLabel(domainLabels, language, domain)
  if (label !== undefined) return label
  const names: Readonly<Record<string, string>> = DOMAIN_TEXTS[language]
  if (Object.hasOwn(names, domain)) return names[domain]!
  const words = domain.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
