/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { FieldGroup } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import type { ConsoleFacts } from './account-places.ts'

export type ScopePlaces = Pick<ConsoleFacts, 'places' | 'publishes'>

/**
 * The scopes of a key, chosen from the existing domains and datasets. The form gets them as one text under `scopes`. A scope
 * whose domain or dataset no longer exists can only be removed.
 */
export function ScopeChooser({ facts, scopes }: { facts: ScopePlaces; scopes: readonly string[] }) {
  const texts = useTexts(KEYS_TEXTS)
  const [chosen, choose] = useState(scopes)
  const { places, publishes } = facts
  const offered = new Set(
    places.flatMap(({ domain, ids }) => [`read:${domain}`, ...ids.map((id) => `read:${domain}/${id}`)]),
  )
  const toPublish = publishes === 'all' ? places.map(({ domain }) => domain) : publishes
  for (const domain of toPublish) offered.add(`publish:${domain}`)
  const gone = scopes.filter((scope) => scope.includes(':') && !offered.has(scope))
  const box = (scope: string, text: string) => (
    <label key={scope}>
      <input
        type="checkbox"
        checked={chosen.includes(scope)}
        onChange={(event) => choose(toggleScope(chosen, scope, event.currentTarget.checked))}
      />{' '}
      {text} <code class="soft">{scope}</code>
    </label>
  )
  const labelOf = (domain: string) => places.find((place) => place.domain === domain)?.label ?? domain
  const ownOf = (domain: string) => chosen.filter((scope) => scope.startsWith(`read:${domain}/`)).length
  return (
    <FieldGroup name="scopes" label={texts.scopes} hint={texts.scopesHint}>
      <input type="hidden" name="scopes" value={chosen.join(', ')} />
      {gone.map((scope) => box(scope, texts.scopeGone))}
      {box('read', texts.readAll)}
      {places.map(({ domain, label, ids }) => (
        <div key={domain}>
          {box(`read:${domain}`, texts.readDomain(label))}
          <details open={ownOf(domain) > 0}>
            <summary>{texts.readSome(label)}</summary>
            {ids.map((id) => box(`read:${domain}/${id}`, id))}
          </details>
        </div>
      ))}
      {(publishes === 'all' || chosen.includes('publish')) && box('publish', texts.publishAll)}
      {toPublish.map((domain) => box(`publish:${domain}`, texts.publishDomain(labelOf(domain))))}
    </FieldGroup>
  )
}

/** The scopes with one added or removed; an added one replaces those it includes and those that include it. */
function toggleScope(chosen: readonly string[], scope: string, isOn: boolean): readonly string[] {
  const holds = (wide: string, narrow: string) =>
    narrow === wide || narrow.startsWith(`${wide}${wide.includes(':') ? '/' : ':'}`)
  const others = chosen.filter((one) => !holds(one, scope) && !holds(scope, one))
  return isOn ? [...others, scope] : others
}

/** A first request for a key: a dataset that it reads, else what it may publish, else the catalog. */
export function firstRequest({ places }: ScopePlaces, scopes: readonly string[]): string {
  if (scopes.includes('read')) return '/v1/datasets'
  for (const scope of scopes) {
    const [, domain, id] = /^read:(\w+)(?:\/(\w+))?$/.exec(scope) ?? []
    const ids = places.find((place) => place.domain === domain)?.ids ?? []
    const readable = id ?? ids[0]
    if (readable !== undefined && ids.includes(readable)) return `/v1/${domain}/${readable}?limit=5`
  }
  const isForPublishing = scopes.every((scope) => scope.startsWith('publish'))
  return isForPublishing ? '/publish/api/me' : '/v1/datasets'
}
