import type { Language } from '../../base/text/language.ts'
import { textTable } from './texts.ts'

/** Parts that several pages share. */
export const PART_TEXTS = textTable({
  copy: ['Copiați', 'Copy'],
  copied: ['Copiat', 'Copied'],
  original: ['Mesajul serviciului, în engleză', 'The service’s message, in English'],
})

/** Names of domains that are common in open data; others are shown by their id. */
export const DOMAIN_TEXTS = textTable({
  administration: ['Administrație', 'Administration'],
  agriculture: ['Agricultură', 'Agriculture'],
  culture: ['Cultură', 'Culture'],
  economy: ['Economie', 'Economy'],
  education: ['Educație', 'Education'],
  energy: ['Energie', 'Energy'],
  environment: ['Mediu', 'Environment'],
  finance: ['Finanțe', 'Finance'],
  geospatial: ['Teritoriu', 'Geography'],
  health: ['Sănătate', 'Health'],
  housing: ['Locuințe', 'Housing'],
  industry: ['Industrie', 'Industry'],
  justice: ['Justiție', 'Justice'],
  labour: ['Forță de muncă', 'Labour'],
  population: ['Populație', 'Population'],
  public_order: ['Ordine publică', 'Public order'],
  science: ['Știință', 'Science'],
  society: ['Societate', 'Society'],
  sport: ['Sport', 'Sport'],
  statistics: ['Statistică', 'Statistics'],
  tourism: ['Turism', 'Tourism'],
  transport: ['Transport', 'Transport'],
})

/** Plans that every service has; others keep the operator's name. */
const PLAN_TEXTS = textTable({
  free: ['gratuit', 'free'],
  unlimited: ['nelimitat', 'unlimited'],
})

export function planName(language: Language, plan: string): string {
  const names: Readonly<Record<string, string>> = PLAN_TEXTS[language]
  return Object.hasOwn(names, plan) ? names[plan]! : plan
}
