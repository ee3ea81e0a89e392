/** @jsxImportSource preact */
/** Shows types and texts of OpenAPI 3.1 in the reference. */

import { marked } from 'marked'
import { type ComponentChildren, Fragment } from 'preact'
import { Table } from '../parts/table.tsx'

/** The part of an OpenAPI 3.1 schema that the page reads. */
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

/** A folded part of the reference. */
export function Folded(options: { id: string; title: ComponentChildren; children: ComponentChildren }) {
  const { id, title, children } = options
  return (
    <details class="operation">
      <summary>
        <h3 id={id}>{title}</h3>
      </summary>
      {children}
    </details>
  )
}

/** Parameters, or members of a schema, each with its type and meaning. */
export function Members(options: {
  label: string
  head: string
  members: readonly { name: string; schema: Schema; mark: string; description?: string | undefined }[]
}) {
  const { label, head, members } = options
  return (
    <Table
      label={label}
      head={[head, 'Type', 'Meaning']}
      hasRowHeads
      rows={members.map(({ name, schema, mark, description = '' }) => [
        <code key={name}>{name}</code>,
        typeOf(schema),
        <Fragment key={name}>
          {mark}
          {sayMarkdown(description)}
        </Fragment>,
      ])}
    />
  )
}

/** All named schemas, each with its members. */
export function Schemas({ schemas }: { schemas: Readonly<Record<string, Schema>> }) {
  return (
    <section lang="en" aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <Folded id={`schema-${name}`} title={name}>
          {schema.properties === undefined ? (
            <p>{typeOf(schema)}</p>
          ) : (
            <Members
              label={name}
              head="Member"
              members={Object.entries(schema.properties).map(([member, of]) => ({
                ...{ name: member, schema: of, description: of.description },
                mark: schema.required?.includes(member) ? '' : 'Optional. ',
              }))}
            />
          )}
        </Folded>
      ))}
    </section>
  )
}

/** A type in words; for a named schema, a link to it. */
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

/** Renders a description, which is the program's own Markdown; a single paragraph gets no `<p>`. */
export function sayMarkdown(text: string) {
  const isLong = text.includes('\n')
  const html = isLong ? marked.parse(text, { async: false }) : marked.parseInline(text, { async: false })
  return isLong ? (
    <div dangerouslySetInnerHTML={{ __html: html }} />
  ) : (
    <span dangerouslySetInnerHTML={{ __html: html }} />
  )
}
