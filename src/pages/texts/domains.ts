import { textTable } from './texts.ts'

/** Names of domains that are common in open data; any other is shown by its id. */
export const DOMAIN_TEXTS = textTable(
  {
    administration: 'Administrație',
    agriculture: 'Agricultură',
    culture: 'Cultură',
    economy: 'Economie',
    education: 'Educație',
    energy: 'Energie',
    environment: 'Mediu',
    finance: 'Finanțe',
    geospatial: 'Teritoriu',
    health: 'Sănătate',
    justice: 'Justiție',
    population: 'Populație',
    society: 'Societate',
    tourism: 'Turism',
    transport: 'Transport',
  },
  {
    administration: 'Administration',
    agriculture: 'Agriculture',
    culture: 'Culture',
    economy: 'Economy',
    education: 'Education',
    energy: 'Energy',
    environment: 'Environment',
    finance: 'Finance',
    geospatial: 'Geography',
    health: 'Health',
    justice: 'Justice',
    population: 'Population',
    society: 'Society',
    tourism: 'Tourism',
    transport: 'Transport',
  },
)
