/** The description of the whole catalog, in chunks, so that other requests run between them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { CatalogEntry } from '../store/catalog/record.ts'
import type { Place } from './addresses.ts'
import { catalogThing, datasetThings } from './dcat.ts'
import { TurtleWriter } from './turtle.ts'
import { PREFIXES, SHARED, type Thing } from './vocabulary.ts'

export type RdfFormat = 'jsonld' | 'turtle'

interface Serializer {
  begin(): string
  write(thing: Thing): string
  end(): string
}

const SERIALIZERS: Readonly<Record<RdfFormat, () => Serializer>> = {
  jsonld: serializeJsonLd,
  turtle: serializeTurtle,
}

/** Datasets described per turn: some milliseconds of work. */
const DATASETS_PER_TURN = 20
const ENTRIES_PER_QUERY = 1000

const encoder = new TextEncoder()

/** Describes the catalog. Datasets removed while this runs are left out, or named without being described. */
export async function* catalogDocument(
  catalog: Catalog,
  place: Place,
  format: RdfFormat,
): AsyncGenerator<Uint8Array> {
  const serializer = SERIALIZERS[format]()
  const entries = allEntries(catalog)
  const ids = entries.map(({ id }) => id)
  const modified = entries.map((entry) => entry.last_updated).reduce(latest, '')
  const head = [catalogThing(place, { ids, modified: modified || undefined }), ...SHARED]
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

/** Every dataset as lists show it. */
export function allEntries(catalog: Catalog): CatalogEntry[] {
  const entries: CatalogEntry[] = []
  for (;;) {
    const { datasets, total } = catalog.list({ limit: ENTRIES_PER_QUERY, offset: entries.length })
    entries.push(...datasets)
    if (datasets.length === 0 || entries.length >= total) return entries
  }
}

/** Timestamps of one form compare as text. */
function latest(one: string, other: string): string {
  return one > other ? one : other
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

function serializeTurtle(): Serializer {
  const writer = new TurtleWriter()
  return {
    begin: () => writer.take(),
    write(thing) {
      writer.write(thing)
      return writer.take()
    },
    end() {
      writer.end()
      return writer.take()
    },
  }
}

/** As `JSON.stringify`, with halves of surrogate pairs, which RDF and many parsers refuse, replaced by U+FFFD. */
export function wellFormedJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part),
    indent,
  )
}
