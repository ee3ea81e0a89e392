import type { Language } from '../../base/text/language.ts'
import { DOMAIN_TEXTS } from '../texts/parts.ts'

export function domainName(language: Language, domain: string): string {
  const names: Readonly<Record<string, string>> = DOMAIN_TEXTS[language]
  if (Object.hasOwn(names, domain)) return names[domain]!
  const words = domain.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
