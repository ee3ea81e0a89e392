import { ApiError } from '../../base/errors.ts'
import { compress, negotiateEncoding } from '../../http/compression.ts'
import type { Exchange } from '../../http/exchange.ts'
import { ASSET_HEADERS } from '../../http/headers.ts'
import { respond } from '../../http/respond.ts'
import account from '../client/bundle/account.bundle.js' with { type: 'text' }
import accountEntry from '../client/bundle/account-entry.bundle.js' with { type: 'text' }
import catalog from '../client/bundle/catalog.bundle.js' with { type: 'text' }
import copy from '../client/bundle/copy.bundle.js' with { type: 'text' }
import desk from '../client/bundle/desk.bundle.js' with { type: 'text' }
import explorer from '../client/bundle/explorer.bundle.js' with { type: 'text' }
import map from '../client/bundle/map.bundle.js' with { type: 'text' }
import reference from '../client/bundle/reference.bundle.js' with { type: 'text' }
import summary from '../client/bundle/summary.bundle.js' with { type: 'text' }
import accountStyle from '../style/account.css' with { type: 'text' }
import baseStyle from '../style/base.css' with { type: 'text' }
import catalogStyle from '../style/catalog.css' with { type: 'text' }
import datasetStyle from '../style/dataset.css' with { type: 'text' }
import deskStyle from '../style/desk.css' with { type: 'text' }
import docsStyle from '../style/docs.css' with { type: 'text' }
import embedStyle from '../style/embed.css' with { type: 'text' }
import explorerStyle from '../style/explorer.css' with { type: 'text' }
import formsStyle from '../style/forms.css' with { type: 'text' }
import layoutStyle from '../style/layout.css' with { type: 'text' }
import mapStyle from '../style/map.css' with { type: 'text' }
import partsStyle from '../style/parts.css' with { type: 'text' }
import summaryStyle from '../style/summary.css' with { type: 'text' }
import tablesStyle from '../style/tables.css' with { type: 'text' }

/** The one stylesheet of all pages. The order matters: of two equal selectors the later one wins. */
export const STYLESHEET = [
  baseStyle,
  layoutStyle,
  partsStyle,
  formsStyle,
  tablesStyle,
  catalogStyle,
  docsStyle,
  accountStyle,
  datasetStyle,
  explorerStyle,
  summaryStyle,
  mapStyle,
  deskStyle,
  embedStyle,
].join('\n')

const TEXTS = {
  'account.js': account,
  'account-entry.js': accountEntry,
  'style.css': STYLESHEET,
  'catalog.js': catalog,
  'copy.js': copy,
  'desk.js': desk,
  'explorer.js': explorer,
  'map.js': map,
  'reference.js': reference,
  'summary.js': summary,
} as const

export type AssetName = keyof typeof TEXTS

const ASSETS = new Map(
  Object.entries(TEXTS).map(([name, text]) => {
    const [stem, ending] = name.split('.') as [string, 'css' | 'js']
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 10)
    return [
      name,
      { path: `/assets/${stem}-${hash}.${ending}`, ending, bytes: new TextEncoder().encode(text) },
    ]
  }),
)
const PACKED = new Map<string, Uint8Array<ArrayBuffer>>()

export function assetPath(name: AssetName): string {
  return ASSETS.get(name)!.path
}

/**
 * Answers with an asset. The content under a name never changes, so browsers may keep it forever.
 * @throws ApiError `not_found`
 */
export function answerAsset(exchange: Exchange): Response {
  const asset = ASSETS.values().find(({ path }) => path === exchange.path)
  if (asset === undefined) throw new ApiError('not_found', 'There is nothing here.')
  const { path, ending, bytes } = asset
  const type = ending === 'css' ? 'text/css' : 'text/javascript'
  const headers = { ...ASSET_HEADERS, 'Content-Type': `${type}; charset=utf-8` }
  const encoding = negotiateEncoding(exchange.request.headers.get('accept-encoding'))
  if (encoding === null) return respond(exchange, 200, headers, bytes)
  const packed = PACKED.getOrInsertComputed(`${path} ${encoding}`, () => compress(bytes, encoding))
  return respond(exchange, 200, { ...headers, 'Content-Encoding': encoding }, packed)
}
