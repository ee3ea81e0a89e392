/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DatasetTexts } from '../../store/catalog/record.ts'
import { domainName } from '../parts/domain-name.ts'
import { Fields, readFields } from '../signed-in/fields.tsx'
import { Choice, type ChoiceOptions, Field, type FieldOptions } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { ABOUT_TEXTS } from '../texts/desk.ts'
import type { DeskFacts } from './desk-places.ts'

export const COLUMN_FIELDS = [
  { name: 'title', says: 'columnTitle', optional: true },
  { name: 'unit', optional: true },
  { name: 'description', type: 'area', optional: true },
] as const

const PUBLISHER = [{ name: 'publisher', optional: true }] as const
const KEYWORDS = [{ name: 'keywords', autoComplete: 'off', optional: true }] as const
const DESCRIPTION = [{ name: 'description', type: 'area', optional: true }] as const

export type AboutTexts = { readonly [K in keyof DatasetTexts]?: DatasetTexts[K] | undefined }

interface AboutFieldsOptions {
  readonly facts: DeskFacts
  readonly said: AboutTexts
  /** Left out: without a title the name of the file is used. */
  readonly needsTitle?: true
  readonly children?: ComponentChildren
}

export function AboutFields({ facts, said, needsTitle, children }: AboutFieldsOptions) {
  const texts = useTexts(ABOUT_TEXTS)
  const licence = said.license ?? ''
  const licences = [
    ['', texts.noLicence] as const,
    ...facts.licences.map(({ name, title }) => [name, title] as const),
    [OTHER_LICENCE, texts.otherLicence] as const,
  ]
  const values = { ...said, keywords: said.keywords?.join(', ') }
  return (
    <>
      <div class="pair">
        <Field
          name="title"
          label={texts.name}
          hint={needsTitle ? undefined : texts.nameHint}
          value={said.title ?? ''}
          maxLength={500}
          optional={!needsTitle}
        />
        {children}
        <Fields texts={texts} values={values} rows={PUBLISHER} />
        <ChoiceOrOther
          choice={{ name: 'license', label: texts.licence, value: licence, choices: licences }}
          other={OTHER_LICENCE}
          isListed={licence !== OTHER_LICENCE && licences.some(([name]) => name === licence)}
          field={{ name: 'other_license', label: texts.licenceName }}
        />
        <Fields texts={texts} values={values} rows={KEYWORDS} />
      </div>
      <Fields texts={texts} values={values} rows={DESCRIPTION} />
    </>
  )
}

const OTHER_LICENCE = 'other'

function ChoiceOrOther(options: {
  choice: Omit<ChoiceOptions, 'onChoose'>
  other: string
  isListed: boolean
  field: Omit<FieldOptions, 'value'>
}) {
  const { choice, other, isListed, field } = options
  const [chosen, choose] = useState(isListed ? choice.value : other)
  return (
    <>
      <Choice {...choice} value={chosen} onChoose={choose} />
      {chosen === other && <Field {...field} value={isListed ? '' : choice.value} autoComplete="off" />}
    </>
  )
}

/** Texts that differ from what is said now; null takes one back. */
export function changedTexts(values: Values, before: AboutTexts): Readonly<Record<string, unknown>> {
  const { keywords = '', license = '', other_license: other = '' } = values
  const words = keywords.split(',').flatMap((word) => word.trim() || [])
  const said = {
    ...readFields(values, [{ name: 'title' }, ...PUBLISHER, ...DESCRIPTION]),
    license: (license === OTHER_LICENCE ? other.trim() : license) || null,
    keywords: words.length === 0 ? null : words,
  }
  return differences(said, { ...before, keywords: before.keywords?.length === 0 ? null : before.keywords })
}

/** The fields whose values are not those of before; what is absent there is null. */
export function differences(said: object, before: object): Readonly<Record<string, unknown>> {
  const known = before as Readonly<Record<string, unknown>>
  const isSame = ([name, value]: [string, unknown]) =>
    JSON.stringify(known[name] ?? null) === JSON.stringify(value)
  return Object.fromEntries(Object.entries(said).filter((entry) => !isSame(entry)))
}

const OTHER_DOMAIN = ' '

export function DomainFields({ facts, domain }: { facts: DeskFacts; domain: string | null }) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const named = facts.domains
    .map((name) => [name, domainName(language, name)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
  const others = facts.mayNameDomain ? [[OTHER_DOMAIN, texts.otherDomain] as const] : []
  const choices = [['', texts.noDomain] as const, ...named, ...others]
  return (
    <ChoiceOrOther
      choice={{ name: 'domain', label: texts.domain, value: domain ?? '', choices }}
      other={OTHER_DOMAIN}
      isListed={domain === null || facts.domains.includes(domain)}
      field={{ name: 'other_domain', label: texts.domainId, hint: texts.domainIdHint, maxLength: 64 }}
    />
  )
}

/** The domain that the fields name; null: none. */
export function domainOf({ domain = '', other_domain = '' }: Values): string | null {
  return (domain === OTHER_DOMAIN ? other_domain.trim() : domain) || null
}
