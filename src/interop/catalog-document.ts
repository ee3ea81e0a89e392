/** The description of the whole catalog as JSON-LD or Turtle (RDF 1.1), in chunks so that other requests run between them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type BlankNode, DataFactory, type Literal as N3Literal, type NamedNode, Writer } from 'n3'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { CatalogEntry } from '../store/catalog/record.ts'
import type { Place } from './addresses.ts'
import { catalogThing, datasetThings } from './dcat.ts'
import { PREFIXES, SHARED, type Term, type Thing, type Value } from './vocabulary.ts'

const { namedNode, literal } = DataFactory

const TYPE = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type')

interface Serializer {
  begin(): string
  write(thing: Thing): string
  end(): string
}

export class TurtleWriter implements Serializer {
  #pending = ''
  /** Things already described: licences, themes and pages, which many things refer to, are described once. */
  readonly #described = new Set<string>()
  readonly #writer: Writer

  constructor() {
    const sink = {
      write: (text: string, _encoding: string, done?: () => void) => {
        this.#pending += text
        done?.()
      },
      end: (done?: () => void) => done?.(),
    }
    // The writer uses no other method of a stream.
    this.#writer = new Writer(sink as never, { prefixes: PREFIXES })
  }

  begin(): string {
    return this.#take()
  }

  write(thing: Thing): string {
    this.#add(thing)
    return this.#take()
  }

  end(): string {
    this.#writer.end()
    return this.#take()
  }

  #add(thing: Thing): void {
    const named: Thing[] = []
    const subject = namedNode(thing['@id']!)
    for (const { predicate, object } of this.#statements(thing, named)) {
      this.#writer.addQuad(subject, predicate, object)
    }
    for (const other of named) this.#add(other)
  }

  #take(): string {
    const text = this.#pending
    this.#pending = ''
    return text
  }

  #statements(thing: Thing, named: Thing[]): Statement[] {
    const { '@id': _, '@type': types = [], ...properties } = thing
    const statements: Statement[] = [types].flat().map((type) => ({ predicate: TYPE, object: nodeOf(type) }))
    for (const [property, values] of Object.entries(properties)) {
      const predicate = nodeOf(property as Term)
      for (const value of [values as Value | readonly Value[]].flat() as Value[]) {
        statements.push({ predicate, object: this.#objectOf(value, named) })
      }
    }
    return statements
  }

  #objectOf(value: Value, named: Thing[]): Statement['object'] {
    if (typeof value === 'string') return literal(value.toWellFormed())
    if (isLiteral(value)) {
      const { '@value': text, '@language': language, '@type': type } = value
      return literal(text.toWellFormed(), language ?? (type && nodeOf(type)))
    }
    const { '@id': id } = value
    if (id === undefined) return this.#writer.blank(this.#statements(value, named))
    if (Object.keys(value).length > 1 && !this.#described.has(id)) {
      this.#described.add(id)
      named.push(value)
    }
    return namedNode(id)
  }
}

export type RdfFormat = 'jsonld' | 'turtle'

/** Datasets described per turn: a few milliseconds of work. */
const DATASETS_PER_TURN = 20
const ENTRIES_PER_QUERY = 1000

const encoder = new TextEncoder()

/** Describes the catalog. A dataset removed meanwhile is named but not described. */
export async function* catalogDocument(
  catalog: Catalog,
  place: Place,
  format: RdfFormat,
): AsyncGenerator<Uint8Array> {
  const serializer = format === 'jsonld' ? serializeJsonLd() : new TurtleWriter()
  const entries = allEntries(catalog)
  const ids = entries.map(({ id }) => id)
  // Timestamps of one form compare as text.
  const modified = entries
    .map((entry) => entry.last_updated)
    .toSorted()
    .at(-1)
  const head = [catalogThing(place, ids, modified), ...Object.values(SHARED)]
  yield encoder.encode(serializer.begin() + head.map((thing) => serializer.write(thing)).join(''))

  for (let from = 0; from < ids.length; from += DATASETS_PER_TURN) {
    await nextTurn()
    let text = ''
    for (const id of ids.slice(from, from + DATASETS_PER_TURN)) {
      const descriptor = catalog.descriptor(id)
      if (descriptor === undefined) continue
      const isPublic = place.isPublic && catalog.find(id)?.open !== false
      for (const thing of datasetThings({ ...place, isPublic }, descriptor)) text += serializer.write(thing)
    }
    yield encoder.encode(text)
  }
  yield encoder.encode(serializer.end())
}

const MOST_BYTES = 32 * 2 ** 20

/** A cache of documents that are expensive to make, in the bytes that were sent. */
export class KeptDocuments {
  /** Keys name everything a document depends on, including its content coding. */
  readonly #most: number
  readonly #documents: LRUCache<string, Uint8Array<ArrayBuffer>>

  /** @param workers processes that share the cache's limit */
  constructor(workers = 1) {
    this.#most = Math.floor(MOST_BYTES / workers)
    this.#documents = new LRUCache({ maxSize: this.#most, sizeCalculation: (bytes) => bytes.length + 1 })
  }

  find(key: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#documents.get(key)
  }

  /** Passes a document on, and caches it once it is complete. */
  async *keeping(key: string, source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    let chunks: Uint8Array[] | undefined = []
    let length = 0
    for await (const chunk of source) {
      length += chunk.length
      // A document this large would evict the others.
      if (length > this.#most / 4) chunks = undefined
      chunks?.push(chunk)
      yield chunk
    }
    if (chunks === undefined) return
    this.#documents.set(key, Buffer.concat(chunks))
  }
}

export function allEntries(catalog: Catalog): CatalogEntry[] {
  const entries: CatalogEntry[] = []
  for (;;) {
    const { datasets, total } = catalog.list({ limit: ENTRIES_PER_QUERY, offset: entries.length })
    entries.push(...datasets)
    if (datasets.length === 0 || entries.length >= total) return entries
  }
}

function serializeJsonLd(): Serializer {
  let between = ''
  return {
    begin: () => `{"@context":${JSON.stringify(PREFIXES)},"@graph":[`,
    write(thing) {
      const text = `${between}\n${wellFormedJson(thing)}`
      between = ','
      return text
    },
    end: () => '\n]}\n',
  }
}

/** As `JSON.stringify`, with lone surrogates, which RDF and many parsers refuse, replaced by U+FFFD. */
export function wellFormedJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part),
    indent,
  )
}

interface Statement {
  readonly predicate: NamedNode
  readonly object: NamedNode | BlankNode | N3Literal
}

function isLiteral(value: Exclude<Value, string>): value is Extract<Value, { '@value': string }> {
  return '@value' in value
}

function nodeOf(term: Term): NamedNode {
  const colon = term.indexOf(':')
  return namedNode(PREFIXES[term.slice(0, colon) as keyof typeof PREFIXES] + term.slice(colon + 1))
}
