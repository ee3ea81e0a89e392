/** @jsxImportSource preact */

/** The quality report in plain words. */

import type { Quality } from '../../store/catalog/record.ts'
import type { View } from '../layout/view.ts'
import { TitledTable } from '../parts/table.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/format.ts'
import {
  explainMended,
  explainReason,
  explainRepair,
  explainRule,
  explainUnproven,
} from './explain-finding.ts'

export function QualitySection({ view, quality }: { view: View; quality: Quality }) {
  const texts = DATASET_TEXTS[view.language]
  return (
    <section aria-labelledby="quality">
      <h2 id="quality">{texts.quality}</h2>
      {quality.measured ? <Measured view={view} quality={quality} /> : <p>{texts.notMeasured}</p>}
    </section>
  )
}

function Measured({ view, quality }: { view: View; quality: Quality }) {
  const { language } = view
  const texts = DATASET_TEXTS[language]
  const { rows, repairs, validation, quarantine } = quality
  const mended = Object.entries(quality.mended).filter(([, count]) => count > 0)
  const broken = validation.filter(({ failed }) => failed > 0)
  const number = (value: number) => formatNumber(language, value)
  return (
    <>
      <p>
        {rows.quarantined === 0 ? texts.qualityAll(rows.read) : texts.qualityRows(rows.read, rows.imported)}{' '}
        {repairs.length === 0 && texts.repairsNone}{' '}
        {validation.length > 0 && broken.length === 0 && texts.allPassed}
      </p>
      <TitledTable
        label={texts.quarantine}
        text={texts.quarantineText}
        head={[texts.reason, [texts.rows]]}
        rows={quarantine.map(({ reason, count }) => [
          <Finding key={0} code={reason} words={explainReason(language, reason)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.mended}
        head={[texts.repair, [texts.rows]]}
        rows={mended.map(([kind, count]) => [
          <Finding key={0} code={kind} words={explainMended(language, kind)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.unproven}
        head={[texts.column, texts.reading]}
        rows={quality.unproven.map((doubt) => [
          doubt.column === null ? texts.wholeFile : <code key={0}>{doubt.column}</code>,
          <Finding key={1} code={doubt.kind} words={explainUnproven(language, doubt)} />,
        ])}
      />
      <TitledTable
        label={texts.repairs}
        head={[texts.column, texts.repair, [texts.cells]]}
        rows={repairs.map(({ column, kind, count }) => [
          <code key={0}>{column}</code>,
          <Finding key={1} code={kind} words={explainRepair(language, kind)} />,
          number(count),
        ])}
      />
      <TitledTable
        label={texts.checks}
        head={[texts.column, texts.rule, [texts.failed]]}
        rows={broken.map(({ column, rule, failed }) => [
          <code key={0}>{column}</code>,
          <Finding key={1} code={rule} words={explainRule(language, rule)} />,
          number(failed),
        ])}
      />
    </>
  )
}

/** A code of the report in words, followed by the code itself. */
function Finding({ code, words }: { code: string; words: string | undefined }) {
  if (words === undefined) return <code>{code}</code>
  return (
    <>
      {words} <code class="small soft">{code}</code>
    </>
  )
}
