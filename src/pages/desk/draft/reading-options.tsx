/** @jsxImportSource preact */

import { useRef, useState } from 'preact/hooks'
import type { Language } from '../../../base/text/language.ts'
import type { DraftBody } from '../../../publish/drafts/describe-draft.ts'
import { tableReport } from '../../../publish/drafts/questions.ts'
import type { ReadOptionName } from '../../../read/definition/read-options.ts'
import { Choice, type ChoiceOptions } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { NULL_TEXTS, READING_TEXTS } from '../../texts/desk-columns.ts'
import { formatShare } from '../../texts/texts.ts'
import { decisionTexts } from '../reasons.tsx'
import type { DraftViewOptions } from './use-draft.ts'

const AUTOMATIC = ''
const ENCODINGS = [
  'utf-8',
  'windows-1250',
  'windows-1252',
  'iso-8859-2',
  'iso-8859-16',
  'utf-16le',
  'utf-16be',
  'windows-1251',
  'windows-1253',
]

export function ReadingOptions(options: DraftViewOptions) {
  const { draft } = options
  const language = useLanguage()
  const texts = useTexts(READING_TEXTS)
  const report = tableReport(draft)
  const said = decisionTexts(language, report)
  const { format, encoding = '', delimiter = '', sheet = null, confidence = 1 } = report?.dialect ?? {}
  const parts = [
    format?.toUpperCase(),
    format === 'csv' && encoding,
    format === 'csv' && texts.between(nameSign(texts, delimiter)),
    sheet !== null && texts.sheetNamed(sheet),
    confidence < 1 && texts.sure(formatShare(language, confidence)),
  ]
  return (
    <details class="card reading" id="reading" open={report === undefined}>
      <summary>
        <h2>{texts.title}</h2>{' '}
        {report !== undefined && <span class="small soft">{parts.filter(Boolean).join(' · ')}</span>}
      </summary>
      <div class="log-filters">
        {[...formatOptions(texts, draft), ...valueOptions(texts)].map((row) => (
          <OptionChoice key={row.option} desk={options.desk} draft={draft} {...row} />
        ))}
      </div>
      {said.length > 0 && (
        <>
          <h3>{texts.decisions}</h3>
          <ul>
            {said.map(({ text, original }) => (
              <li key={`${text}${original}`}>
                {text}
                {original !== null && (
                  <details class="small">
                    <summary>{texts.details}</summary>
                    <p lang="en">{original}</p>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}

interface OptionRow {
  readonly option: ReadOptionName
  readonly label: string
  readonly choices: ChoiceOptions['choices']
  readonly found?: string | undefined
}

function OptionChoice(options: OptionRow & Pick<DraftViewOptions, 'desk' | 'draft'>) {
  const { desk, draft, option, label, found, choices } = options
  const texts = useTexts(READING_TEXTS)
  const decided = draft.definition.read?.[option]
  const value = decided === undefined ? AUTOMATIC : String(decided)
  const automatic = decided === undefined && found ? texts.automatically(found) : texts.automatic
  const isListed = value === AUTOMATIC || choices.some(([known]) => known === value)
  return (
    <Choice
      id={`read-${option}`}
      name={option}
      label={label}
      value={value}
      choices={[[AUTOMATIC, automatic], ...choices, ...(isListed ? [] : [[value, value] as const])]}
      onChoose={(chosen) => {
        const isFlag = chosen === 'true' || chosen === 'false'
        const read = { [option]: chosen === AUTOMATIC ? null : isFlag ? chosen === 'true' : chosen }
        void desk.decide({ read })
      }}
    />
  )
}

type Texts = (typeof READING_TEXTS)[Language]

const SIGNS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', ' ': 'space', '': 'none' } as const

function nameSign(texts: Texts, sign: string): string {
  return Object.hasOwn(SIGNS, sign) ? texts[SIGNS[sign as keyof typeof SIGNS]] : sign
}

function formatOptions(texts: Texts, draft: DraftBody): OptionRow[] {
  const dialect = tableReport(draft)?.dialect
  const sheets = draft.sheets.map(({ name, rows }) => [name, texts.sheetOf(name, rows)] as const)
  const ofWorkbook: OptionRow[] = [
    { option: 'sheet', label: texts.sheet, found: dialect?.sheet ?? undefined, choices: sheets },
    {
      option: 'hidden',
      label: texts.hidden,
      choices: Object.entries({ false: texts.leaveOut, true: texts.readHidden }),
    },
  ]
  const isText = dialect === undefined ? sheets.length === 0 : dialect.format === 'csv'
  const sign = (found: string | undefined) => (found === undefined ? undefined : nameSign(texts, found))
  const ofText: OptionRow[] = [
    {
      option: 'encoding',
      label: texts.encoding,
      found: dialect?.encoding,
      choices: ENCODINGS.map((name) => [name, texts.encodingOf(name)]),
    },
    {
      option: 'delimiter',
      label: texts.delimiter,
      found: sign(dialect?.delimiter),
      choices: Object.entries({ ',': texts.comma, ';': texts.semicolon, tab: texts.tab, '|': '|' }),
    },
    {
      option: 'quote',
      label: texts.quote,
      found: sign(dialect?.quote),
      choices: Object.entries({ '"': '"', "'": "'", none: texts.none }),
    },
  ]
  return [
    ...(sheets.length > 0 ? ofWorkbook.slice(sheets.length > 1 ? 0 : 1) : []),
    ...(isText ? ofText : []),
  ]
}

function valueOptions(texts: Texts): OptionRow[] {
  const marks = Object.entries({ ',': texts.decimalComma, '.': texts.decimalPoint })
  const orders = Object.entries({ dmy: texts.dayFirst, mdy: texts.monthFirst })
  const keepOrNot = Object.entries({ keep: texts.keep, leave_out: texts.leaveOut })
  const ragged = Object.entries({ repair: texts.repair, quarantine: texts.leaveOut })
  return [
    { option: 'decimal_mark', label: texts.decimal, choices: marks },
    { option: 'date_order', label: texts.dates, choices: orders },
    { option: 'totals', label: texts.totals, choices: keepOrNot },
    { option: 'footnotes', label: texts.footnotes, choices: keepOrNot },
    { option: 'ragged', label: texts.ragged, choices: ragged },
  ]
}

const FEW = 12

/** By value, most frequent first: its cells, and the columns that it prevents from being numbers or dates. */
export function gatherSuspects({ suspects }: Pick<DraftBody, 'suspects'>) {
  const found = suspects.flatMap(({ column, values }) => values.map((one) => ({ ...one, column })))
  return [...Map.groupBy(found, ({ value }) => value)]
    .map(([value, all]) => ({
      value,
      count: all.reduce((sum, { count }) => sum + count, 0),
      columns: all.map(({ column }) => column),
    }))
    .sort((one, other) => other.count - one.count)
}

export function NullValues({ draft, desk }: DraftViewOptions) {
  const texts = useTexts(NULL_TEXTS)
  const [isWhole, setWhole] = useState(false)
  const decided = draft.definition.read?.null_values ?? []
  const suspects = new Map(gatherSuspects(draft).map((one) => [one.value, one]))
  // In the order of first appearance, so that a marked value keeps its place.
  const seen = useRef(new Set<string>())
  for (const value of [...decided, ...suspects.keys()]) seen.current.add(value)
  const shown = [...seen.current].filter((value) => decided.includes(value) || suspects.has(value))
  if (shown.length === 0) return null
  const about = (value: string) => {
    const { count, columns } = suspects.get(value) ?? {}
    return count === undefined || columns === undefined ? texts.decided : texts.found(count, columns)
  }
  const mark = (value: string, isNull: boolean) => {
    const marked = isNull ? [...decided, value] : decided.filter((one) => one !== value)
    void desk.decide({ read: { null_values: marked.length === 0 ? null : marked } })
  }
  return (
    <Section class="card" id="nulls-title" title={texts.title}>
      <p>{texts.text}</p>
      <ul class="checks">
        {(isWhole ? shown : shown.slice(0, FEW)).map((value) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={decided.includes(value)}
                onChange={(event) => mark(value, event.currentTarget.checked)}
              />
              <span>
                <code>{value}</code> {texts.means} <span class="small soft">{about(value)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {!isWhole && shown.length > FEW && (
        <SmallButton onPress={() => setWhole(true)}>{texts.more(shown.length - FEW)}</SmallButton>
      )}
    </Section>
  )
}
