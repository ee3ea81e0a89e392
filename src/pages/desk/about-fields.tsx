import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DatasetTexts } from '../../store/catalog/record.ts'
import { domainName } from '../parts/domain-name.ts'
import { Fields, readFields } from '../signed-in/fields.tsx'
import { Choice, Field } from '../signed-in/form.tsx'
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
  /** Fields that follow the title. */
  readonly children?: ComponentChildren
}

export function AboutFields({ facts, said, needsTitle, children }: AboutFieldsOptions) {
  const texts = useTexts(ABOUT_TEXTS)
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
        <LicenceFields facts={facts} licence={said.license ?? ''} />
        <Fields texts={texts} values={values} rows={KEYWORDS} />
      </div>
      <Fields texts={texts} values={values} rows={DESCRIPTION} />
    </>
  )
}

const OTHER_LICENCE = 'other'

function LicenceFields({ facts, licence }: { facts: DeskFacts; licence: string }) {
  const texts = useTexts(ABOUT_TEXTS)
  const isKnown = licence === '' || facts.licences.some(({ name }) => name === licence)
  const [chosen, choose] = useState(isKnown ? licence : OTHER_LICENCE)
  return (
    <>
      <Choice
        name="license"
        label={texts.licence}
        value={chosen}
        choices={[
          ['', texts.noLicence],
          ...facts.licences.map(({ name, title }) => [name, title] as const),
          [OTHER_LICENCE, texts.otherLicence],
        ]}
        onChoose={choose}
      />
      {chosen === OTHER_LICENCE && (
        <Field
          name="other_license"
          label={texts.licenceName}
          value={isKnown ? '' : licence}
          autoComplete="off"
        />
      )}
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
  const isListed = domain === null || facts.domains.includes(domain)
  const [chosen, choose] = useState(isListed ? (domain ?? '') : OTHER_DOMAIN)
  const named = facts.domains
    .map((name) => [name, domainName(language, name)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
  return (
    <>
      <Choice
        name="domain"
        label={texts.domain}
        value={chosen}
        choices={[
          ['', texts.noDomain],
          ...named,
          ...(facts.mayNameDomain ? [[OTHER_DOMAIN, texts.otherDomain] as const] : []),
        ]}
        onChoose={choose}
      />
      {chosen === OTHER_DOMAIN && (
        <Field
          name="other_domain"
          label={texts.domainId}
          hint={texts.domainIdHint}
          value={isListed ? '' : (domain ?? '')}
          maxLength={64}
          autoComplete="off"
        />
      )}
    </>
  )
}

/** The domain that the fields name; null: none. */
export function domainOf({ domain = '', other_domain = '' }: Values): string | null {
  return (domain === OTHER_DOMAIN ? other_domain.trim() : domain) || null
}
