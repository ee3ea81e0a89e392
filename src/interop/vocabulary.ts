/** The controlled vocabularies that DCAT-AP requires, and the types of RDF in this program. */

/** Prefixes of the documents: the context in JSON-LD, the `@prefix` lines in Turtle. */
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

/** A thing and its properties: a JSON-LD node object (JSON-LD 1.1, 9.5) without any of the shorthands. */
export interface Thing {
  /** Absent for a blank node, which is written where it is used. */
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

/** The EU's data themes by code, each with the English and Romanian words of domains that belong to it. */
const THEME_WORDS: Readonly<Record<string, readonly [label: string, words: string]>> = {
  AGRI: [
    'Agriculture, fisheries, forestry and food',
    'agriculture agricultura food forestry fisheries silvicultura paduri pescuit',
  ],
  ECON: ['Economy and finance', 'economy economie finance finante budget buget business trade comert fiscal'],
  EDUC: [
    'Education, culture and sport',
    'education educatie invatamant culture cultura sport tourism turism',
  ],
  ENER: ['Energy', 'energy energie'],
  ENVI: ['Environment', 'environment mediu climate clima weather meteo air aer water ape waste deseuri'],
  GOVE: [
    'Government and public sector',
    'government guvernare guvern administration administratie elections alegeri procurement achizitii',
  ],
  HEAL: ['Health', 'health sanatate medical'],
  INTR: ['International issues', 'international foreign_affairs externe'],
  JUST: [
    'Justice, legal system and public safety',
    'justice justitie safety siguranta police politie law legislatie',
  ],
  REGI: [
    'Regions and cities',
    'geospatial regions regiuni cities orase localitati urbanism cadastre cadastru',
  ],
  SOCI: [
    'Population and society',
    'society societate population populatie social demography demografie labour munca',
  ],
  TECH: ['Science and technology', 'science stiinta technology tehnologie research cercetare digital'],
  TRAN: ['Transport', 'transport transporturi traffic trafic mobility mobilitate'],
}

/** The EU data theme of a domain, by the words of its name; undefined when none is known. */
export function themeOf(domain: string): Thing | undefined {
  const entries = Object.entries(THEME_WORDS)
  const words = [domain, ...domain.split('_')]
  const found = entries.find(([, [, known]]) => known.split(' ').some((word) => words.includes(word)))
  if (found === undefined) return undefined
  const [code, [label]] = found
  return concept(`${THEMES}/${code}`, label)
}

/** Things that a document describes once and then refers to. */
export const SHARED = {
  themes: { '@id': THEMES, '@type': 'skos:ConceptScheme', 'dct:title': english('Data theme') },
  /** Open to everyone, possibly after registering for a key. */
  publicAccess: {
    '@id': `${EU}access-right/PUBLIC`,
    '@type': 'dct:RightsStatement',
    'rdfs:label': english('public'),
  },
  /** Planned to stay available for years. */
  available: concept(`${EU}planned-availability/AVAILABLE`, 'available'),
  csvFormat: fileType('CSV'),
  jsonFormat: fileType('JSON'),
  csvMedia: mediaType('text/csv'),
  jsonMedia: mediaType('application/json'),
} satisfies Record<string, Thing>

/** A reference to one of the shared things. */
export function toShared(name: keyof typeof SHARED): Thing {
  return reference(SHARED[name]['@id'])
}

/** NDJSON is not in the EU's table of file types. */
export const NDJSON_FORMAT: Thing = { '@type': 'dct:MediaTypeOrExtent', 'rdfs:label': 'NDJSON' }

function concept(id: string, label: string) {
  return { '@id': id, '@type': 'skos:Concept', 'skos:prefLabel': english(label) } as const
}

function fileType(name: string) {
  return { '@id': `${EU}file-type/${name}`, '@type': 'dct:MediaTypeOrExtent', 'rdfs:label': name } as const
}

function mediaType(name: string) {
  return { '@id': IANA + name, '@type': 'dct:MediaType', 'rdfs:label': name } as const
}
