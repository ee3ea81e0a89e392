import { textTable } from './texts.ts'

/** Parts that several pages share. */
export const PART_TEXTS = textTable({
  copy: ['Copiază', 'Copy'],
  copied: ['Copiat', 'Copied'],
  original: ['Mesajul serviciului, în engleză', 'The service’s message, in English'],
})

/** Names of domains that are common in open data; any other is shown by its id. */
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
  justice: ['Justiție', 'Justice'],
  population: ['Populație', 'Population'],
  society: ['Societate', 'Society'],
  tourism: ['Turism', 'Tourism'],
  transport: ['Transport', 'Transport'],
})
