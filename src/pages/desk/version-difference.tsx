/** @jsxImportSource preact */

/** What changed from one version of a dataset to another. */

import type { VersionDiff } from '../../publish/edition/version-diff.ts'
import { TitledTable } from '../parts/table.tsx'
import { read } from '../signed-in/api.ts'
import { useLoaded, WhenLoaded } from '../signed-in/loading.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { COLUMN_DESK_TEXTS } from '../texts/desk-columns.ts'
import { VERSION_TEXTS } from '../texts/desk-versions.ts'
import { formatNumber, formatShare } from '../texts/format.ts'

interface VersionDifferenceOptions {
  /** Of the dataset, in the desk's interface. */
  readonly path: string
  readonly from: string
  readonly to: string
}

export function VersionDifference({ path, from, to }: VersionDifferenceOptions) {
  const loaded = useLoaded(
    () => read<VersionDiff>(`${path}/versions/${to}/diff?with=${from}`),
    `${from} ${to}`,
  )
  return (
    <div aria-live="polite" class="difference">
      <WhenLoaded loaded={loaded}>{(diff) => <Difference diff={diff} />}</WhenLoaded>
    </div>
  )
}

function Difference({ diff }: { diff: VersionDiff }) {
  const language = useLanguage()
  const texts = useTexts(VERSION_TEXTS)
  const number = (value: number) => formatNumber(language, value)
  const { from, to, overlap } = diff
  const about = overlap.sampled > 1 ? texts.about : ''
  return (
    <>
      <p>
        <strong>{texts.between(from.version, to.version)}</strong> {diff.same_source && texts.sameSource}
      </p>
      <ul>
        <li>{texts.rowsMoved(number(from.rows), number(to.rows))}</li>
        {overlap.rows !== null && (
          <li>
            {about}
            {texts.overlap(number(overlap.rows.kept), number(overlap.rows.gone), number(overlap.rows.new))}
          </li>
        )}
        {overlap.keys !== null && (
          <li>
            {about}
            {texts.keys(overlap.keys.columns.join(', '), number(overlap.keys.gone), number(overlap.keys.new))}
          </li>
        )}
        <ColumnsMoved diff={diff} />
      </ul>
      <TitledTable
        label={texts.values}
        head={[texts.column, [texts.missing], [texts.distinct]]}
        rows={diff.statistics
          .filter(({ notable }) => notable)
          .map(({ column, null_share: missing, distinct }) => [
            <code key="column">{column}</code>,
            `${formatShare(language, missing.from)} → ${formatShare(language, missing.to)}`,
            `${number(distinct.from)} → ${number(distinct.to)}`,
          ])}
      />
    </>
  )
}

function ColumnsMoved({ diff: { columns } }: { diff: VersionDiff }) {
  const texts = useTexts(VERSION_TEXTS)
  const types = useTexts(COLUMN_DESK_TEXTS)
  const { added, removed, changed } = columns
  const retyped = changed.filter(({ field }) => field === 'type')
  const typeName = (type: string | boolean | null) => types[`type_${type as 'string'}`]
  if (added.length + removed.length + changed.length === 0) return <li>{texts.sameColumns}</li>
  return (
    <>
      {added.map(({ name }) => (
        <li key={`+${name}`}>{texts.added(name)}</li>
      ))}
      {removed.map(({ name }) => (
        <li key={`-${name}`}>{texts.removed(name)}</li>
      ))}
      {retyped.map(({ column, from, to }) => (
        <li key={column}>{texts.retyped(column, typeName(from), typeName(to))}</li>
      ))}
    </>
  )
}
