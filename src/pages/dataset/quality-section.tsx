/** @jsxImportSource preact */

/** The quality report in plain words. */

import type { ComponentChild } from 'preact'
import type { Quality } from '../../catalog/record.ts'
import { formatNumber } from '../parts/format.ts'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import type { View } from '../view.ts'
import { explainReason, explainRepair, explainRule } from './explain-finding.ts'

export function QualitySection({ view, quality }: { view: View; quality: Quality }) {
  const texts = DATASET_TEXTS[view.language]
  const { rows, measured, repairs, validation, quarantine } = quality
  if (!measured) {
    return (
      <section aria-labelledby="quality">
        <h2 id="quality">{texts.quality}</h2>
        <p>{texts.notMeasured}</p>
      </section>
    )
  }
  const broken = validation.filter(({ failed }) => failed > 0)
  return (
    <section aria-labelledby="quality">
      <h2 id="quality">{texts.quality}</h2>
      <p>
        {rows.quarantined === 0 ? texts.qualityAll(rows.read) : texts.qualityRows(rows.read, rows.imported)}{' '}
        {repairs.length === 0 && texts.repairsNone}{' '}
        {validation.length > 0 && broken.length === 0 && texts.allPassed}
      </p>
      {quarantine.length > 0 && (
        <>
          <h3>{texts.quarantine}</h3>
          <p>{texts.quarantineText}</p>
          <CountTable
            view={view}
            label={texts.quarantine}
            heads={[texts.reason, texts.rows]}
            lines={quarantine.map(({ reason, count }) => [
              [<Finding code={reason} words={explainReason(view.language, reason)} />],
              count,
            ])}
          />
        </>
      )}
      {repairs.length > 0 && (
        <>
          <h3>{texts.repairs}</h3>
          <CountTable
            view={view}
            label={texts.repairs}
            heads={[texts.column, texts.repair, texts.cells]}
            lines={repairs.map(({ column, kind, count }) => [
              [<code>{column}</code>, <Finding code={kind} words={explainRepair(view.language, kind)} />],
              count,
            ])}
          />
        </>
      )}
      {broken.length > 0 && (
        <>
          <h3>{texts.checks}</h3>
          <CountTable
            view={view}
            label={texts.checks}
            heads={[texts.column, texts.rule, texts.failed]}
            lines={broken.map(({ column, rule, failed }) => [
              [<code>{column}</code>, <Finding code={rule} words={explainRule(view.language, rule)} />],
              failed,
            ])}
          />
        </>
      )}
    </section>
  )
}

/** A code of the report in words, with the code for whoever looks it up. */
function Finding({ code, words }: { code: string; words: string | undefined }) {
  if (words === undefined) return <code>{code}</code>
  return (
    <>
      {words} <code class="small soft">{code}</code>
    </>
  )
}

type Cell = ComponentChild

function CountTable({
  view,
  label,
  heads,
  lines,
}: {
  view: View
  label: string
  heads: readonly string[]
  lines: readonly (readonly [readonly Cell[], number])[]
}) {
  return (
    <ScrollBox label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th scope="col" class={index === heads.length - 1 ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([cells, count]) => (
            <tr>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
              <td class="number">{formatNumber(view.language, count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
