/** @jsxImportSource preact */
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import { explainFinding } from '../dataset/explain-finding.ts'
import { Table } from '../parts/table.tsx'
import { useRead, WhenLoaded } from '../signed-in/loading.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Section } from '../signed-in/section.tsx'
import { MENDED_TEXTS, REASON_TEXTS } from '../texts/dataset.ts'
import { KEPT_TEXTS } from '../texts/desk-draft.ts'

const SHOWN = 20

/** A quarantined row has a reason, a repaired one a kind. */
type KeptRow = Partial<QuarantinedRow & MendedRow>

interface RowListsOptions {
  /** The path of the draft or dataset, without the kind. */
  readonly path: string
  /** A new value loads the rows again. */
  readonly edition: string
  readonly kinds: readonly ('quarantine' | 'repaired')[]
}

export function RowLists({ kinds, ...options }: RowListsOptions) {
  const texts = useTexts(KEPT_TEXTS)
  if (kinds.length === 0) return null
  return (
    <Section id="kept-title" title={texts.title}>
      {kinds.map((kind) => (
        <RowList key={kind} {...options} kind={kind} />
      ))}
    </Section>
  )
}

type RowListOptions = Omit<RowListsOptions, 'kinds'> & { kind: RowListsOptions['kinds'][number] }

function RowList({ kind, path, edition }: RowListOptions) {
  const language = useLanguage()
  const texts = useTexts(KEPT_TEXTS)
  const loaded = useRead<{ data: readonly KeptRow[]; pagination: { total: number } }>(
    `${path}/${kind}?limit=${SHOWN}`,
    edition,
  )
  const explain = (code: string) =>
    explainFinding(kind === 'repaired' ? MENDED_TEXTS : REASON_TEXTS, language, code) ?? code
  return (
    <>
      <h3>{texts[kind]}</h3>
      <p class="soft">{texts[`${kind}Text`]}</p>
      <WhenLoaded loaded={loaded}>
        {({ data, pagination: { total } }) =>
          total === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <>
              <Table
                label={texts[kind]}
                head={[[texts.line], texts.why, texts.text]}
                rows={data.map(({ line, column, reason, kind: mend, raw }) => [
                  line,
                  <span key="why">
                    {column && (
                      <>
                        <code>{column}</code>:{' '}
                      </>
                    )}
                    {explain(reason ?? mend ?? '')}
                  </span>,
                  <span key="raw" class="raw">
                    {raw}
                  </span>,
                ])}
              />
              <p class="row">
                {total > data.length && <span class="soft">{texts.shown(data.length, total)}</span>}
                <a class="button small" href={`${path}/${kind}?format=csv`} download>
                  {texts.download}
                </a>
              </p>
            </>
          )
        }
      </WhenLoaded>
    </>
  )
}
