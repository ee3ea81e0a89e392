/**
 * Converts the document of `@elysiajs/swagger` to OpenAPI 3.1: the plugin writes 3.0.3 with schemas of JSON Schema
 * 2020-12, which only 3.1 takes, repeats every body for three content types, and copies named schemas to each place
 * that uses them.
 */

/** A part of a document. */
export type Node = { readonly [key: string]: unknown }

export interface Document {
  readonly openapi: string
  readonly info: Node
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, Node>>
    readonly [member: string]: unknown
  }
  readonly [member: string]: unknown
}

export function toOpenApi31(document: Document): Document {
  const schemas: Record<string, Node> = {}
  for (const schema of Object.values(document.components.schemas ?? {})) lift(schema, schemas)
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, toOperation(operation, schemas)]),
      ),
    ]),
  )
  const named = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, openapi: '3.1.0', paths, components: { ...document.components, schemas: named } }
}

function toOperation(operation: Node, schemas: Record<string, Node>): Node {
  const { parameters, requestBody, responses, ...rest } = operation
  const given = (parameters ?? []) as readonly Node[]
  return {
    ...rest,
    ...(given.length > 0 && { parameters: given.map((parameter) => toParameter(parameter, schemas)) }),
    ...(requestBody !== undefined && { requestBody: toContent(requestBody as Node, schemas) }),
    responses: Object.fromEntries(
      Object.entries((responses ?? {}) as Readonly<Record<string, Node>>).map(([status, response]) => [
        status,
        toContent(response, schemas),
      ]),
    ),
  }
}

function toParameter({ schema, examples, description, ...rest }: Node, schemas: Record<string, Node>): Node {
  const [example] = (examples ?? []) as readonly unknown[]
  return {
    ...rest,
    ...(description !== undefined && { description }),
    schema: lift(schema, schemas),
    ...(example !== undefined && { example }),
  }
}

/** A request body or response: its JSON alone, and of the schema's keywords around it only the description. */
function toContent({ content, description, required, headers }: Node, schemas: Record<string, Node>): Node {
  const json = (content as Readonly<Record<string, Node>> | undefined)?.['application/json']
  return {
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
    ...(headers !== undefined && { headers }),
    ...(json !== undefined && {
      content: { 'application/json': { ...json, schema: lift(json.schema, schemas) } },
    }),
  }
}

/** The schema with every named one in it replaced by a reference; these gather in `schemas`. */
function lift(schema: unknown, schemas: Record<string, Node>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as Node
  const lifted = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, lift(value, schemas)]))
  if (typeof $id !== 'string') return lifted
  const name = $id.slice($id.lastIndexOf('/') + 1)
  schemas[name] ??= lifted
  return { $ref: `#/components/schemas/${name}` }
}
