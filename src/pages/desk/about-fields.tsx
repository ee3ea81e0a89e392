/** @jsxImportSource preact */

/** The texts about a dataset as fields of a form, and what a form changes of them. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DatasetTexts } from '../../store/catalog/record.ts'
import { Choice, Field } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { ABOUT_TEXTS } from '../texts/desk.ts'
import type { DeskFacts } from './places.ts'

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
  return (
    <>
      <div class="pair">
        <Field
          name="title"
          label={texts.name}
          {...(needsTitle === undefined && { hint: texts.nameHint })}
          value={said.title ?? ''}
          maxLength={500}
          optional={needsTitle === undefined}
        />
        {children}
        <Field
          name="publisher"
          label={texts.publisher}
          hint={texts.publisherHint}
          value={said.publisher ?? ''}
          optional
        />
        <LicenceFields facts={facts} licence={said.license ?? ''} />
        <Field
          name="keywords"
          label={texts.keywords}
          hint={texts.keywordsHint}
          value={said.keywords?.join(', ') ?? ''}
          autoComplete="off"
          optional
        />
      </div>
      <Field
        name="description"
        type="area"
        label={texts.description}
        hint={texts.descriptionHint}
        value={said.description ?? ''}
        optional
      />
    </>
  )
}

const OTHER = 'other'

/** A licence of the list, or any other by its name. */
function LicenceFields({ facts, licence }: { facts: DeskFacts; licence: string }) {
  const texts = useTexts(ABOUT_TEXTS)
  const isKnown = licence === '' || facts.licences.some(({ name }) => name === licence)
  const [chosen, choose] = useState(isKnown ? licence : OTHER)
  return (
    <>
      <Choice
        name="license"
        label={texts.licence}
        value={chosen}
        choices={[
          ['', texts.noLicence],
          ...facts.licences.map(({ name, title }) => [name, title] as const),
          [OTHER, texts.otherLicence],
        ]}
        onChoose={choose}
      />
      {chosen === OTHER && (
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
  const { title = '', publisher = '', description = '', keywords = '', license = '' } = values
  const words = keywords.split(',').flatMap((word) => word.trim() || [])
  const said = {
    title: title.trim() || null,
    publisher: publisher.trim() || null,
    description: description.trim() || null,
    license: (license === OTHER ? values.other_license?.trim() : license) || null,
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
