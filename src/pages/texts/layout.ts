import { textTable } from './texts.ts'

/** What stands around every page. */
export const LAYOUT_TEXTS = textTable(
  {
    skip: 'Sari la conținut',
    home: 'Izvor, pagina de pornire',
    tagline: 'date deschise',
    navigation: 'Navigare principală',
    catalog: 'Catalog',
    docs: 'Documentație',
    account: 'Cont',
    otherLanguage: 'English',
    otherLanguageLabel: 'This page in English',
    footer: 'Date deschise, publicate cu Izvor.',
    reference: 'Referința API',
    description: 'Descrierea OpenAPI',
    feed: 'Noutăți (Atom)',
    status: 'Stare',
  },
  {
    skip: 'Skip to content',
    home: 'Izvor, home page',
    tagline: 'open data',
    navigation: 'Main navigation',
    catalog: 'Catalog',
    docs: 'Documentation',
    account: 'Account',
    otherLanguage: 'Română',
    otherLanguageLabel: 'Această pagină în română',
    footer: 'Open data, published with Izvor.',
    reference: 'API reference',
    description: 'OpenAPI description',
    feed: 'News (Atom)',
    status: 'Status',
  },
)
