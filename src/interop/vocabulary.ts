/** The controlled vocabularies that DCAT-AP asks for, and the shape in which RDF is kept here. */

/** Prefixes of the documents: the context of the JSON-LD, the `@prefix` lines of the Turtle. */
export const PREFIXES = {
  adms: 'http://www.w3.org/ns/adms#',
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  prov: 'http://www.w3.org/ns/prov#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

/** `dcat:Dataset` */
export type Term = `${keyof typeof PREFIXES}:${string}`

export interface Literal {
  readonly '@value': string
  readonly '@type'?: Term
  readonly '@language'?: string
}

/** A thing and what is said of it: a JSON-LD node object (JSON-LD 1.1, 9.5) without any of the shorthands. */
export interface Thing {
  /** Absent: it has no name of its own, and stands where it is used. */
  readonly '@id'?: string
  readonly '@type'?: Term | readonly Term[]
  readonly [property: Term]: Value | readonly Value[] | undefined
}

export type Value = string | Literal | Thing

export function reference(address: string): Thing {
  return { '@id': address }
}

export function moment(timestamp: string): Literal {
  return { '@value': timestamp, '@type': 'xsd:dateTime' }
}

export function english(text: string): Literal {
  return { '@value': text, '@language': 'en' }
}

export function romanian(text: string): Literal {
  return { '@value': text, '@language': 'ro' }
}

const EU = 'http://publications.europa.eu/resource/authority/'
const IANA = 'https://www.iana.org/assignments/media-types/'

const THEMES = `${EU}data-theme`

/** Words of domains, in English and Romanian, by the code of the EU's data theme that they belong to. */
const THEME_WORDS: Readonly<Record<string, { readonly label: string; readonly words: readonly string[] }>> = {
  AGRI: {
    label: 'Agriculture, fisheries, forestry and food',
    words: [
      'agriculture',
      'agricultura',
      'food',
      'forestry',
      'fisheries',
      'silvicultura',
      'paduri',
      'pescuit',
    ],
  },
  ECON: {
    label: 'Economy and finance',
    words: [
      'economy',
      'economie',
      'finance',
      'finante',
      'budget',
      'buget',
      'business',
      'trade',
      'comert',
      'fiscal',
    ],
  },
  EDUC: {
    label: 'Education, culture and sport',
    words: ['education', 'educatie', 'invatamant', 'culture', 'cultura', 'sport', 'tourism', 'turism'],
  },
  ENER: { label: 'Energy', words: ['energy', 'energie'] },
  ENVI: {
    label: 'Environment',
    words: [
      'environment',
      'mediu',
      'climate',
      'clima',
      'weather',
      'meteo',
      'air',
      'aer',
      'water',
      'ape',
      'waste',
      'deseuri',
    ],
  },
  GOVE: {
    label: 'Government and public sector',
    words: [
      'government',
      'guvernare',
      'guvern',
      'administration',
      'administratie',
      'elections',
      'alegeri',
      'procurement',
      'achizitii',
    ],
  },
  HEAL: { label: 'Health', words: ['health', 'sanatate', 'medical'] },
  INTR: { label: 'International issues', words: ['international', 'foreign_affairs', 'externe'] },
  JUST: {
    label: 'Justice, legal system and public safety',
    words: ['justice', 'justitie', 'safety', 'siguranta', 'police', 'politie', 'law', 'legislatie'],
  },
  REGI: {
    label: 'Regions and cities',
    words: [
      'geospatial',
      'regions',
      'regiuni',
      'cities',
      'orase',
      'localitati',
      'urbanism',
      'cadastre',
      'cadastru',
    ],
  },
  SOCI: {
    label: 'Population and society',
    words: [
      'society',
      'societate',
      'population',
      'populatie',
      'social',
      'demography',
      'demografie',
      'labour',
      'munca',
    ],
  },
  TECH: {
    label: 'Science and technology',
    words: ['science', 'stiinta', 'technology', 'tehnologie', 'research', 'cercetare', 'digital'],
  },
  TRAN: {
    label: 'Transport',
    words: ['transport', 'transporturi', 'traffic', 'trafic', 'mobility', 'mobilitate'],
  },
}

/** The EU data theme of a domain, told by its name; undefined when that says nothing. */
export function themeOf(domain: string): Thing | undefined {
  const entries = Object.entries(THEME_WORDS)
  const words = [domain, ...domain.split('_')]
  const found = entries.find(([, { words: known }]) => words.some((word) => known.includes(word)))
  if (found === undefined) return undefined
  const [code, { label }] = found
  return concept(`${THEMES}/${code}`, label)
}

export const THEME_TAXONOMY: Thing = {
  '@id': THEMES,
  '@type': 'skos:ConceptScheme',
  'dct:title': english('Data theme'),
}

/** Whoever wants it can have it, if need be after registering for a key. */
export const PUBLIC_ACCESS: Thing = {
  '@id': `${EU}access-right/PUBLIC`,
  '@type': 'dct:RightsStatement',
  'rdfs:label': english('public'),
}

/** Planned to stay for years. */
export const AVAILABLE: Thing = concept(`${EU}planned-availability/AVAILABLE`, 'available')

export const CSV_FORMAT = fileType(`${EU}file-type/CSV`, 'CSV')
export const JSON_FORMAT = fileType(`${EU}file-type/JSON`, 'JSON')
/** Not in the table of file types. */
export const NDJSON_FORMAT: Thing = { '@type': 'dct:MediaTypeOrExtent', 'rdfs:label': 'NDJSON' }

export const CSV_MEDIA = mediaType('text/csv')
export const JSON_MEDIA = mediaType('application/json')

/** Everything of these vocabularies that is said once per document; elsewhere it is only referred to. */
export const SHARED: readonly Thing[] = [
  THEME_TAXONOMY,
  PUBLIC_ACCESS,
  AVAILABLE,
  CSV_FORMAT,
  JSON_FORMAT,
  CSV_MEDIA,
  JSON_MEDIA,
]

function concept(id: string, label: string): Thing {
  return { '@id': id, '@type': 'skos:Concept', 'skos:prefLabel': english(label) }
}

function fileType(id: string, label: string): Thing {
  return { '@id': id, '@type': 'dct:MediaTypeOrExtent', 'rdfs:label': label }
}

function mediaType(name: string): Thing {
  return { '@id': IANA + name, '@type': 'dct:MediaType', 'rdfs:label': name }
}
