/** @jsxImportSource preact */
/** Types of OpenAPI 3.1 and texts of its descriptions, as the reference shows them. */

import { marked } from 'marked'
import { Fragment } from 'preact'
import { Table } from '../parts/table.tsx'

/** What the page reads of a schema of OpenAPI 3.1. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema & { readonly description?: string }>>
  readonly required?: readonly string[]
}

/** All schemas with a name, each with its members. */
export function Schemas({ schemas }: { schemas: Readonly<Record<string, Schema>> }) {
  return (
    <section lang="en" aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <details class="operation">
          <summary>
            <h3 id={`schema-${name}`}>{name}</h3>
          </summary>
          {schema.properties === undefined ? (
            <p>{typeOf(schema)}</p>
          ) : (
            <Table
              label={name}
              head={['Member', 'Type', 'Meaning']}
              hasRowHeads
              rows={Object.entries(schema.properties).map(([member, of]) => [
                <code key={member}>{member}</code>,
                typeOf(of),
                <Fragment key={member}>
                  {schema.required?.includes(member) ? '' : 'Optional. '}
                  {sayMarkdown(of.description ?? '')}
                </Fragment>,
              ])}
            />
          )}
        </details>
      ))}
    </section>
  )
}

/** A type in words; of a schema with a name, a link to it. */
export function typeOf(schema: Schema): preact.ComponentChild {
  const { $ref, type, items, enum: values, const: value, properties } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return <a href={`#schema-${name}`}>{name}</a>
  }
  const parts = schema.oneOf ?? schema.anyOf ?? schema.allOf
  if (parts !== undefined) return parts.map((part, at) => [at > 0 && ' or ', typeOf(part)])
  if (value !== undefined) return JSON.stringify(value)
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(', ')
  if (items !== undefined) return ['list of ', typeOf(items)]
  if (properties !== undefined) {
    const members = Object.entries(properties)
    return ['{', members.map(([name, of], at) => [at > 0 && ', ', `${name}: `, typeOf(of)]), '}']
  }
  return [type ?? 'anything'].flat().join(' or ')
}

/** A description, which is the program's own Markdown: of one paragraph without its tags. */
export function sayMarkdown(text: string) {
  const isLong = text.includes('\n')
  const html = isLong ? marked.parse(text, { async: false }) : marked.parseInline(text, { async: false })
  return isLong ? (
    <div dangerouslySetInnerHTML={{ __html: html }} />
  ) : (
    <span dangerouslySetInnerHTML={{ __html: html }} />
  )
}
