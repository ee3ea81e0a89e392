/** Path parameters by name: the schema, and the codes for a value that names nothing. */

import { type TSchema, t } from 'elysia'
import type { ErrorCode } from '../../base/error-codes.ts'
import { NAME_PATTERN } from '../../read/definition/names.ts'
import type { Route } from './route.ts'
import { integer } from './schema.ts'

interface PathParameter {
  readonly schema: TSchema
  readonly errors: readonly ErrorCode[]
}

/** Names have no examples here: the description takes those of an existing dataset. */
const DOMAIN = t.String({ description: 'Domain of the dataset.', pattern: NAME_PATTERN })
const DATASET: PathParameter = {
  schema: t.String({ description: 'Id of the dataset.', pattern: NAME_PATTERN }),
  errors: ['dataset_not_found'],
}
const VERSION = t.String({ pattern: '^[1-9][0-9]{0,9}$', description: 'Number of a kept version.' })
const SESSION = t.String({
  description: 'Id of the session, as the list has it.',
  examples: ['mK3vQ81nXc05LwTzBd27Hs'],
})

const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  id: DATASET,
  slug: DATASET,
  dataset: DATASET,
  domain: { schema: DOMAIN, errors: [] },
  // 503: the files of drafts and versions may be in an object store.
  draft: {
    schema: t.String({ pattern: '^[a-z0-9]{24}$', description: 'Id of the draft.' }),
    errors: ['draft_not_found', 'service_unavailable'],
  },
  version: { schema: VERSION, errors: ['version_not_found', 'service_unavailable'] },
  key_id: { schema: integer({ description: 'Id of the key.', examples: [1] }), errors: ['key_not_found'] },
  account: { schema: integer({ description: 'Id of the account.', examples: [1] }), errors: ['not_found'] },
  plan: { schema: t.String({ description: 'Name of the plan.', examples: ['free'] }), errors: [] },
  session_id: { schema: SESSION, errors: ['session_not_found'] },
}

/** The path of a route as the description writes it: `/v1/{domain}/{dataset}`. */
export function describedPath({ path, described }: Route): string {
  return described?.describedAs ?? path.replace(/:(\w+)/g, '{$1}')
}

/** The parameters in the path of a route, in their order. */
export function pathParametersOf(route: Route): readonly (readonly [name: string, PathParameter])[] {
  const names = [...describedPath(route).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return names.flatMap((name) => {
    const own = route.described?.params?.[name]
    const known = own === undefined ? PATH_PARAMETERS[name] : { schema: own, errors: [] }
    return known === undefined ? [] : [[name, known] as const]
  })
}
