/** @jsxImportSource preact */
/**
 * `/docs`: every address with its parameters, bodies, answers and errors, from the OpenAPI description. It needs no script;
 * with scripts, requests can be changed and sent (`reference.island.ts`). The description is in English.
 */

import { render } from 'preact-render-to-string'
import { ownRound } from '../../base/own-round.ts'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { DOCS_TEXTS, REFERENCE_TEXTS } from '../texts/docs.ts'
import { Folded, Members, type Schema, Schemas, sayMarkdown, typeOf } from './described-types.tsx'
import { GUIDES_PATH } from './guides.ts'
import { fillIn } from './markdown.tsx'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The part of the service's description that is shown. */
export interface ServiceDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** Rendered sections by the dataset that examples name, on which alone they depend, then by language and form of links. */
const renderedSections = new WeakMap<object, Map<string, Promise<string>>>()

/**
 * Answers `GET /docs`.
 * @param example the dataset that examples name, or any lasting object where there is none
 * @param describe called if the page has not been rendered for that example yet
 */
export async function answerReference(
  view: View,
  example: object,
  describe: () => ServiceDescription | Promise<ServiceDescription>,
): Promise<Response> {
  const { language, link } = view
  const [texts, docsTexts] = [REFERENCE_TEXTS[language], DOCS_TEXTS[language]]
  const known = renderedSections.getOrInsertComputed(example, () => new Map())
  const form = `${language} ${view.chosenLanguage}`
  const rendering = known.getOrInsertComputed(form, async () => renderSections(view, await describe()))
  const sections = await rendering.catch((error) => {
    known.delete(form)
    throw error
  })
  return respondPage(view, {
    title: texts.title,
    description: docsTexts.referenceLead,
    section: 'docs',
    scripts: ['reference.js'],
    body: (
      <article class="reference">
        <p class="crumbs">
          <a href={link(GUIDES_PATH)}>{docsTexts.title}</a>
        </p>
        <h1>{texts.title}</h1>
        <p class="lead">{docsTexts.referenceLead}</p>
        <p>
          <a href={link(`${GUIDES_PATH}/first-call`)}>{texts.firstCall}</a> ·{' '}
          <a href={link(`${GUIDES_PATH}/errors`)}>{texts.errors}</a> · {texts.forPrograms}{' '}
          <a href="/openapi.json">/openapi.json</a>
        </p>
        <p
          class="field"
          id="try-key"
          data-send={texts.send}
          data-address={texts.address}
          data-answer={texts.answer}
          data-foreign={texts.foreign}
          hidden
        >
          <label for="key">{texts.key}</label>
          <input id="key" type="password" autocomplete="off" placeholder="rok_…" />
        </p>
        <div dangerouslySetInnerHTML={{ __html: fillIn(sections, { base: view.base }) }} />
      </article>
    ),
  })
}

/** The tags with their operations, then the schemas, each rendered in a separate round of the event loop. */
async function renderSections(view: View, { tags, paths, components }: ServiceDescription): Promise<string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ view, method: method.toUpperCase(), path, operation: operation as Operation },
    })),
  )
  const names = [...tags.map(({ name }) => name), 'Schemas']
  const pieces = [
    <nav aria-label={DOCS_TEXTS[view.language].onThisPage}>
      <ul class="bare flow tags" lang="en">
        {names.map((name) => (
          <li>
            <a href={`#${anchorOf(name)}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>,
    ...tags.map(({ name, description }) => (
      <section lang="en" aria-labelledby={anchorOf(name)}>
        <h2 id={anchorOf(name)}>{name}</h2>
        <p>{sayMarkdown(description)}</p>
        {operations
          .filter(({ operation }) => operation.tags[0] === name)
          .map((one) => (
            <OperationBox key={one.operation.operationId} {...one} />
          ))}
      </section>
    )),
    <Schemas schemas={components.schemas as Readonly<Record<string, Schema>>} />,
  ]
  let html = ''
  for (const piece of pieces) {
    html += render(piece)
    await ownRound()
  }
  return html
}

interface OperationProps {
  readonly view: View
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function OperationBox({ view, method, path, operation }: OperationProps) {
  const {
    operationId: id,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
    security,
  } = operation
  const texts = REFERENCE_TEXTS[view.language]
  const request = exampleAddress(path, parameters)
  const takesKey = security.some((schemes) => 'ApiKey' in schemes)
  const needsSession = security.length > 0 && security.every((schemes) => 'Session' in schemes)
  const body = requestBody?.content['application/json']
  const title = (
    <>
      <code>
        <b>{method}</b> {path}
      </code>{' '}
      {summary}
    </>
  )
  return (
    <Folded id={id} title={title}>
      {description && <div class="prose">{sayMarkdown(description)}</div>}
      <p class="small soft" lang={view.language}>
        {needsSession ? texts.bySession : takesKey ? texts.byKey : texts.open}
      </p>
      {parameters.length > 0 && (
        <Members
          label={`${id}: parameters`}
          head="Parameter"
          members={parameters.map(({ in: place, required, ...rest }) => ({
            ...rest,
            mark: place === 'path' ? 'In the path. ' : required ? 'Required. ' : '',
          }))}
        />
      )}
      {body?.schema && <p>Body: {typeOf(body.schema)}</p>}
      {!needsSession && (
        <CodeBox
          language={view.language}
          label={`curl, ${summary}`}
          text={curlOf(`{{base}}${request}`, method, takesKey, body?.example)}
        />
      )}
      {method === 'GET' && (
        <form class="try row" data-address={request} aria-label={`${texts.send}: ${id}`} hidden />
      )}
      <Answers responses={responses} />
    </Folded>
  )
}

function Answers({ responses }: Pick<Operation, 'responses'>) {
  const all = Object.entries(responses)
  const codes = all.flatMap(([, { description }]) =>
    [...description.matchAll(/^- `(\w+)`:/gm)].map(([, code]) => code!),
  )
  return (
    <ul>
      {all.map(([status, { description, content = {} }]) => {
        if (description.startsWith('- `')) return null
        const schema = content['application/json']?.schema
        const types = Object.keys(content).filter((type) => type !== 'application/json')
        return (
          <li key={status}>
            <strong>{status}</strong> {sayMarkdown(description)} {schema && typeOf(schema)} {types.join(', ')}
          </li>
        )
      })}
      <li>Errors: {codes.join(', ')}</li>
    </ul>
  )
}

function exampleAddress(path: string, parameters: readonly Parameter[]): string {
  const given = (place: Parameter['in']) =>
    parameters.filter(
      (one) => one.in === place && (place === 'path' || one.required) && one.example !== undefined,
    )
  const filled = given('path').reduce(
    (address, { name, example }) => address.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  )
  const query = given('query').map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

function curlOf(address: string, method: string, takesKey: boolean, example: unknown): string {
  const parts = ['curl -g', method === 'GET' ? '' : `-X ${method}`]
  if (takesKey) parts.push('-H "Authorization: Bearer $IZVOR_KEY"')
  if (example !== undefined)
    parts.push(`-H "Content-Type: application/json" -d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`)
  return [...parts, `"${address}"`].filter((part) => part !== '').join(' ')
}

function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
