/** @jsxImportSource preact */

/** How the file is read: what was found, and other choices. */

import type { ComponentChildren } from 'preact'
import type { ReadOptionName } from '../../read/definition/read-options.ts'
import { Choice, type ChoiceOptions } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { READING_TEXTS } from '../texts/desk-columns.ts'
import { formatShare } from '../texts/texts.ts'
import { decisionTexts } from './decision-texts.ts'
import { tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'

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
  const texts = useTexts(READING_TEXTS)
  const report = tableReport(draft)
  return (
    <details class="card reading" id="reading" open={report === undefined}>
      <summary>
        <h2>{texts.title}</h2> <Summary {...options} />
      </summary>
      <div class="log-filters">
        <FormatChoices {...options} />
        <ValueChoices {...options} />
      </div>
      <Decisions {...options} />
    </details>
  )
}

/** What was found, in a line. */
function Summary({ draft }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(READING_TEXTS)
  const dialect = tableReport(draft)?.dialect
  if (dialect === undefined) return null
  const { format, encoding, delimiter, sheet, confidence } = dialect
  const parts = [
    format.toUpperCase(),
    format === 'csv' && encoding,
    format === 'csv' && texts.between(nameSign(texts, delimiter)),
    sheet !== null && texts.sheetNamed(sheet),
    confidence < 1 && texts.sure(formatShare(language, confidence)),
  ]
  return <span class="small soft">{parts.filter(Boolean).join(' · ')}</span>
}

/** One option: what is decided, or automatic with what was found. */
interface OptionChoiceOptions extends Pick<DraftViewOptions, 'desk' | 'draft'> {
  readonly option: ReadOptionName
  readonly label: string
  /** In words. */
  readonly found?: string | undefined
  readonly choices: ChoiceOptions['choices']
}

function OptionChoice({ desk, draft, option, label, found, choices }: OptionChoiceOptions) {
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
      onChoose={(chosen) => void desk.decide({ read: { [option]: decisionOf(chosen) } })}
    />
  )
}

function decisionOf(chosen: string): string | boolean | null {
  if (chosen === AUTOMATIC) return null
  return chosen === 'true' || chosen === 'false' ? chosen === 'true' : chosen
}

/** Of the file as a whole: those that its format has. */
function FormatChoices({ desk, draft }: DraftViewOptions) {
  const texts = useTexts(READING_TEXTS)
  const dialect = tableReport(draft)?.dialect
  const isText = dialect === undefined ? draft.sheets.length === 0 : dialect.format === 'csv'
  const choice = (
    option: ReadOptionName,
    label: string,
    found: string | undefined,
    choices: ChoiceOptions['choices'],
  ) => (
    <OptionChoice desk={desk} draft={draft} option={option} label={label} found={found} choices={choices} />
  )
  const sheets = draft.sheets.map(({ name, rows }) => [name, texts.sheetOf(name, rows)] as const)
  return (
    <>
      {sheets.length > 1 && choice('sheet', texts.sheet, dialect?.sheet ?? undefined, sheets)}
      {sheets.length > 0 &&
        choice('hidden', texts.hidden, undefined, [
          ['false', texts.leaveOut],
          ['true', texts.readHidden],
        ])}
      {isText &&
        choice(
          'encoding',
          texts.encoding,
          dialect?.encoding,
          ENCODINGS.map((name) => [name, texts.encodingOf(name)] as const),
        )}
      {isText &&
        choice('delimiter', texts.delimiter, dialect && nameSign(texts, dialect.delimiter), [
          [',', texts.comma],
          [';', texts.semicolon],
          ['tab', texts.tab],
          ['|', '|'],
        ])}
      {isText &&
        choice('quote', texts.quote, dialect && nameSign(texts, dialect.quote), [
          ['"', '"'],
          ["'", "'"],
          ['none', texts.none],
        ])}
    </>
  )
}

/** Of values and rows. */
function ValueChoices({ desk, draft }: DraftViewOptions) {
  const texts = useTexts(READING_TEXTS)
  const choice = (
    option: ReadOptionName,
    label: string,
    choices: ChoiceOptions['choices'],
    found?: string,
  ) => (
    <OptionChoice desk={desk} draft={draft} option={option} label={label} found={found} choices={choices} />
  )
  return (
    <>
      {choice('decimal_mark', texts.decimal, [
        [',', texts.decimalComma],
        ['.', texts.decimalPoint],
      ])}
      {choice('date_order', texts.dates, [
        ['dmy', texts.dayFirst],
        ['mdy', texts.monthFirst],
      ])}
      {choice('totals', texts.totals, [
        ['keep', texts.keep],
        ['quarantine', texts.leaveOut],
      ])}
      {choice('footnotes', texts.footnotes, [
        ['keep', texts.keep],
        ['quarantine', texts.leaveOut],
      ])}
      {choice('ragged', texts.ragged, [
        ['repair', texts.repair],
        ['quarantine', texts.leaveOut],
      ])}
    </>
  )
}

/** What was decided about the file where a person could decide otherwise. */
function Decisions({ draft }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(READING_TEXTS)
  const said = decisionTexts(language, tableReport(draft))
  if (said.length === 0) return null
  return (
    <>
      <h3>{texts.decisions}</h3>
      <ul>
        {said.map(({ text, original }) => (
          <li key={`${text}${original}`}>
            {text}
            <Original text={original} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Original({ text }: { text: string | null }): ComponentChildren {
  const texts = useTexts(READING_TEXTS)
  if (text === null) return null
  return (
    <details class="small">
      <summary>{texts.details}</summary>
      <p lang="en">{text}</p>
    </details>
  )
}

type Signs = Readonly<Record<'comma' | 'semicolon' | 'tab' | 'none' | 'space', string>>

/** A delimiter or quote in words. */
function nameSign(texts: Signs, sign: string): string {
  if (sign === ',') return texts.comma
  if (sign === ';') return texts.semicolon
  if (sign === '\t') return texts.tab
  if (sign === ' ') return texts.space
  return sign === '' ? texts.none : sign
}
