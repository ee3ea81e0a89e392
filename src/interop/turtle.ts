/** RDF as Turtle (RDF 1.1 Turtle), written piece by piece with the n3 library. */

import { type BlankNode, DataFactory, type Literal as N3Literal, type NamedNode, Writer } from 'n3'
import { PREFIXES, type Term, type Thing, type Value } from './vocabulary.ts'

const { namedNode, literal } = DataFactory

const TYPE = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type')

interface Statement {
  readonly predicate: NamedNode
  readonly object: NamedNode | BlankNode | N3Literal
}

/** Writes things one after another into a buffer, which `take` empties. */
export class TurtleWriter {
  #pending = ''
  /** Licences, themes and pages, which many things refer to, are described once. */
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

  /** Writes a named thing; named things inside it become statements of their own. */
  write(thing: Thing): void {
    const named: Thing[] = []
    const subject = namedNode(thing['@id']!)
    for (const { predicate, object } of this.#statements(thing, named)) {
      this.#writer.addQuad(subject, predicate, object)
    }
    for (const other of named) this.write(other)
  }

  /** Ends the last statement. */
  end(): void {
    this.#writer.end()
  }

  /** Returns what was written since the last call. */
  take(): string {
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

function isLiteral(value: Exclude<Value, string>): value is Extract<Value, { '@value': string }> {
  return '@value' in value
}

function nodeOf(term: Term): NamedNode {
  const colon = term.indexOf(':')
  return namedNode(PREFIXES[term.slice(0, colon) as keyof typeof PREFIXES] + term.slice(colon + 1))
}
