/** @jsxImportSource preact */
import type { App } from '../../app.ts'
import type { ErrorDescription } from '../../http/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { OriginalMessage } from '../parts/code-box.tsx'
import { sayRefusal } from '../parts/say-refusal.ts'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { ERROR_TEXTS } from '../texts/site.ts'
import { respondPageWith } from './layout.tsx'
import { type View, viewOf } from './view.ts'

/** The APIs, whose refusals are never pages (contract 2). */
const PROGRAM_PATHS = /^\/(v1|(account|publish|operate)\/api|api|datastore|mcp)(\/|$)/

/** Whether a refusal is shown as a page: when a browser navigates to a path of pages. */
export function wantsPage({ path, request }: Exchange): boolean {
  return !PROGRAM_PATHS.test(path) && (request.headers.get('accept') ?? '').includes('text/html')
}

export function respondErrorPage(app: App, exchange: Exchange, description: ErrorDescription): Response {
  const view = viewOf(app, exchange)
  const title = titleOf(view, description)
  const texts = ERROR_TEXTS[view.language]
  const { error } = description.body
  const { code } = error
  const wait = Number(description.headers['Retry-After']) || undefined
  const said = sayRefusal(view.language, { ...error, wait }, view)
  // Datasets with similar names: suggestions are `domain/id`.
  const near = error.detail?.[0]?.suggestions?.map((name) => name.slice(name.indexOf('/') + 1)) ?? []
  return respondPageWith(view, description.status, description.headers, {
    title,
    isPrivate: true,
    body: (
      <div class="prose">
        <p class="crumbs">{description.status}</p>
        <h1>{title}</h1>
        <p>{said.text}</p>
        <OriginalMessage language={view.language} said={said} />
        {code === 'dataset_not_found' && near.length > 0 && (
          <p>
            {texts.near}:{' '}
            {near.map((id, index) => (
              <>
                {index > 0 && ', '}
                <a href={view.link(`/datasets/${id}`)}>{id}</a>
              </>
            ))}
          </p>
        )}
        <p class="small soft">
          {texts.details}:{' '}
          <a href={`${view.link('/docs/guides/errors')}#${code}`}>
            <code>{code}</code>
          </a>{' '}
          · {texts.requestId}: <code>{view.exchange.requestId}</code>
        </p>
        <p class="row">
          {code === 'api_key_missing' && (
            <a class="button main" href={view.link('/account')}>
              {DATASET_TEXTS[view.language].closedLink}
            </a>
          )}
          <a class="button" href={view.link('/')}>
            {texts.back}
          </a>
        </p>
      </div>
    ),
  })
}

function titleOf({ language }: View, { status, body }: ErrorDescription): string {
  const texts = ERROR_TEXTS[language]
  if (body.error.code.startsWith('dataset_not')) return texts.datasetNotFound
  if (status === 404) return texts.notFound
  if (status === 405) return texts.methodNotAllowed
  if (status === 429) return texts.limited
  if (status === 503) return texts.unavailable
  return status >= 500 ? texts.failed : texts.refused
}
