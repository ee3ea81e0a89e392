/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DatasetTexts } from '../../store/catalog/record.ts'
import { domainName } from '../parts/domain-name.ts'
import { Fields } from '../signed-in/fields.tsx'
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
  /** Without it, an empty title means the name of the file. */
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
      <div class="level grid">
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
          field={{ name: 'other_license', label: texts.licenceName }}
        />
        <Fields texts={texts} values={values} rows={KEYWORDS} />
      </div>
      <Fields texts={texts} values={values} rows={DESCRIPTION} />
    </>
  )
}

const OTHER_LICENCE = 'other'

/** A choice whose last option opens a field for anything not listed. @param other the value of that option */
export function ChoiceOrOther(options: {
  choice: Omit<ChoiceOptions, 'onChoose'>
  other: string
  field: Omit<FieldOptions, 'value'>
}) {
  const { choice, other, field } = options
  const isListed = choice.value !== other && choice.choices.some(([value]) => value === choice.value)
  const held = isListed ? choice.value : other
  const [chosen, choose] = useState(held)
  useEffect(() => choose(held), [choice.value])
  return (
    <>
      <Choice {...choice} value={chosen} onChoose={choose} />
      {chosen === other && <Field {...field} value={isListed ? '' : choice.value} autoComplete="off" />}
    </>
  )
}

export type AboutName = keyof ReturnType<typeof heldAbout>
/** The contents of the fields, by subject. */
export type TypedAbout = { readonly [K in AboutName]?: string }

const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
const wordsOf = (text: string) => text.split(',').flatMap((word) => word.trim() || [])

/** What is saved about a dataset, in the form of the fields. */
export function heldAbout(said: AboutTexts & { readonly id?: string; readonly domain?: string | null }) {
  return {
    title: plain(said.title),
    publisher: plain(said.publisher),
    license: plain(said.license),
    keywords: said.keywords?.join(', ') ?? '',
    description: plain(said.description),
    id: said.id ?? '',
    domain: said.domain ?? '',
  }
}

/** What a form's fields hold; without fields that it lacks, and without an "other" value that is still to be named. */
export function typedAbout({ other_license, other_domain, ...values }: Values): TypedAbout {
  const said = {
    ...values,
    keywords: values.keywords === undefined ? undefined : wordsOf(values.keywords).join(', '),
    license: values.license === OTHER_LICENCE ? other_license?.trim() || undefined : values.license,
    domain: values.domain === OTHER_DOMAIN ? other_domain?.trim() || undefined : values.domain,
  }
  const entries = Object.entries(said).filter(([, text]) => text !== undefined)
  return Object.fromEntries(entries.map(([name, text]) => [name, plain(text)]))
}

/** Texts in the form that the interfaces take; null removes one. */
export function decisionOf(typed: TypedAbout): Readonly<Record<string, unknown>> {
  const entries = Object.entries(typed).map(([name, text]) => {
    if (name === 'keywords') return [name, text === '' ? null : wordsOf(text)] as const
    return [name, text || null] as const
  })
  return Object.fromEntries(entries)
}

/** What is typed but not saved yet. */
export function changesOf(typed: TypedAbout, held: TypedAbout): TypedAbout {
  const changed = Object.entries(typed).filter(([name, text]) => text !== held[name as AboutName])
  return Object.fromEntries(changed)
}

const OTHER_DOMAIN = ' '

export function DomainFields({ facts, domain }: { facts: DeskFacts; domain: string | null }) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const named = facts.domains
    .map((name) => [name, domainName(facts, name)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
  const others = facts.mayNameDomain ? [[OTHER_DOMAIN, texts.otherDomain] as const] : []
  const choices = [['', texts.noDomain] as const, ...named, ...others]
  return (
    <ChoiceOrOther
      choice={{ name: 'domain', label: texts.domain, value: domain ?? '', choices }}
      other={OTHER_DOMAIN}
      field={{ name: 'other_domain', label: texts.domainId, hint: texts.domainIdHint, maxLength: 64 }}
    />
  )
}
