import { textTable } from './texts.ts'

/** The frame of every page. */
export const LAYOUT_TEXTS = textTable({
  skip: ['Sari la conținut', 'Skip to content'],
  home: ['Izvor, pagina de pornire', 'Izvor, home page'],
  tagline: ['date deschise', 'open data'],
  navigation: ['Navigare principală', 'Main navigation'],
  catalog: ['Catalog', 'Catalog'],
  docs: ['Documentație', 'Documentation'],
  publish: ['Publicare', 'Publish'],
  signInToPublish: ['Autentificare pentru publicare', 'Sign in to publish'],
  account: ['Cont', 'Account'],
  otherLanguage: ['English', 'Română'],
  otherLanguageLabel: ['This page in English', 'Această pagină în română'],
  footer: ['Date deschise, publicate cu Izvor.', 'Open data, published with Izvor.'],
  reference: ['Referința API', 'API reference'],
  description: ['Descrierea OpenAPI', 'OpenAPI description'],
  feed: ['Noutăți (Atom)', 'News (Atom)'],
  status: ['Stare', 'Status'],
})
