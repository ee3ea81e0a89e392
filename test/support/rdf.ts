/** RDF parsed by libraries that are independent of the code that wrote it. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import jsonld from 'jsonld'
import { Parser, Store, Writer } from 'n3'
import ShaclValidator from 'rdf-validate-shacl'

export function parseTurtle(text: string): Store {
  return new Store(new Parser({ format: 'text/turtle' }).parse(text))
}

/** The triples of a JSON-LD document that contains its own context. */
export async function parseJsonLd(text: string): Promise<Store> {
  const options = { format: 'application/n-quads', safe: true }
  const nquads = await jsonld.toRDF(JSON.parse(text), options as never)
  return new Store(new Parser({ format: 'application/n-quads' }).parse(nquads as unknown as string))
}

/** The graph in a form in which equal graphs are equal texts (RDF Dataset Canonicalization). */
export async function canonical(store: Store): Promise<string> {
  const nquads = new Writer({ format: 'N-Quads' }).quadsToString(store.getQuads(null, null, null, null))
  const options = { algorithm: 'RDFC-1.0', inputFormat: 'application/n-quads' }
  return jsonld.canonize(nquads as never, options as never) as unknown as Promise<string>
}

const shapes = new ShaclValidator(
  parseTurtle(readFileSync(join(import.meta.dir, 'dcat-ap-3.ttl'), 'utf8')) as never,
)

/** How a graph violates DCAT-AP 3.0, a line each; warnings are about what is only recommended. */
export async function dcatApFindings(store: Store): Promise<string[]> {
  const { results } = await shapes.validate(store as never)
  return results.map(({ severity, focusNode, path, message }) => {
    const kind = severity?.value.replace(/.*#/, '')
    return [kind, focusNode?.value, path?.value, ...message.map(({ value }) => value)].join(' ')
  })
}

/** The objects of a property of a subject, as texts. */
export function valuesOf(store: Store, subject: string, property: string): string[] {
  return store.getObjects(subject, property, null).map(({ value }) => value)
}
