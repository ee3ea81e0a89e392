import { textTable } from './texts.ts'

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
