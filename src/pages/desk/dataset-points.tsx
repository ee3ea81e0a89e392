/** @jsxImportSource preact */

/** What stands in the way on the side of the dataset: its domain, another edition, keys that are served already. */

import { Field, Form } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { useFocusLater } from '../signed-in/status.tsx'
import { ABOUT_TEXTS } from '../texts/desk-about.ts'
import { POINT_TEXTS } from '../texts/desk-points.ts'
import { DomainFields, domainOf } from './domain-fields.tsx'
import { tableReport } from './draft-facts.ts'
import { Point, type PointOptions } from './point.tsx'

/** A new dataset needs a domain. */
export function DomainPoint({ facts, desk, draft }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const focusLater = useFocusLater()
  const about = useTexts(ABOUT_TEXTS)
  const choose = about.domainMissing
  return (
    <Point title={texts.domain}>
      <Form
        id="domain"
        submit={texts.chooseDomain}
        check={(values) => (domainOf(values) === null ? { domain: choose, other_domain: choose } : {})}
        send={async (values) => {
          const title = values.title?.trim()
          await desk.submit({ domain: domainOf(values), ...(title && { title }) })
          focusLater('points-title')
        }}
      >
        <p>{texts.domainText}</p>
        <div class="pair">
          <DomainFields facts={facts} domain={null} />
          {draft.served_version === null && (
            <Field
              name="title"
              label={about.name}
              value={draft.dataset.title ?? ''}
              maxLength={500}
              autoComplete="off"
              optional
            />
          )}
        </div>
      </Form>
    </Point>
  )
}

/** Somebody else has published meanwhile. */
export function OutdatedPoint({ desk }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  return (
    <Point title={texts.outdated}>
      <p>{texts.outdatedText}</p>
      <button type="button" onClick={() => void desk.decide({})}>
        {texts.readAgain}
      </button>
    </Point>
  )
}

/** Rows that are added have keys of rows that are served. */
export function DuplicatesPoint({ draft, desk }: PointOptions) {
  const texts = useTexts(POINT_TEXTS)
  const columns = tableReport(draft)?.columns ?? []
  return (
    <Point title={texts.duplicates}>
      <p>{texts.duplicatesText}</p>
      <Form
        id="replace-where"
        submit={texts.replaceWhere}
        tone="quiet"
        send={async (values) => {
          const chosen = columns.flatMap(({ name }) => (values[`column-${name}`] === undefined ? [] : [name]))
          await desk.submit({ replace_where: chosen.length === 0 ? null : chosen })
        }}
      >
        <fieldset class="checks">
          <legend>{texts.replaceWhereText}</legend>
          {columns.map(({ name }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                name={`column-${name}`}
                defaultChecked={draft.definition.replace_where?.includes(name) ?? false}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </Form>
      <button type="button" onClick={() => void desk.decide({ mode: 'replace' })}>
        {texts.replaceAll}
      </button>
    </Point>
  )
}
