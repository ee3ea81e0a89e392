/** @jsxImportSource preact */

/** What people read about the dataset that a file becomes. */

import { domainName } from '../parts/domain-name.ts'
import { Field, Form } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { StatusLine, useStatus } from '../signed-in/status.tsx'
import { ABOUT_TEXTS } from '../texts/desk-about.ts'
import { AboutFields, changedTexts, differences } from './about-fields.tsx'
import { DomainFields, domainOf } from './domain-fields.tsx'
import type { DraftViewOptions } from './draft-view.ts'

export function AboutForm({ facts, desk, draft }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(ABOUT_TEXTS)
  const status = useStatus()
  const { definition, dataset, served_version } = draft
  const isNew = served_version === null
  return (
    <section class="card" aria-labelledby="about-heading">
      <h2 id="about-heading">{texts.title}</h2>
      <p class="soft">
        {isNew ? texts.newText : texts.editionText(dataset.id, domainName(language, dataset.domain ?? ''))}
      </p>
      <StatusLine status={status} />
      <Form
        id="about"
        submit={texts.save}
        tone="quiet"
        check={(values) => (isNew ? checkId(texts, values) : {})}
        send={async (values) => {
          status.say('')
          const place = { id: values.id?.trim() ?? dataset.id, domain: domainOf(values) }
          await desk.submit({
            ...changedTexts(values, definition),
            ...(isNew && differences(place, dataset)),
          })
          status.say(texts.saved)
        }}
      >
        <AboutFields facts={facts} said={{ ...definition, title: dataset.title ?? undefined }}>
          {isNew && (
            <>
              <DomainFields facts={facts} domain={dataset.domain} />
              <Field
                name="id"
                label={texts.id}
                hint={texts.idHint}
                value={dataset.id}
                maxLength={64}
                autoComplete="off"
              />
            </>
          )}
        </AboutFields>
      </Form>
    </section>
  )
}

const ID = /^[a-z0-9_]{1,64}$/

function checkId(texts: { readonly wrongId: string }, { id = '' }: Values): Record<string, string> {
  return ID.test(id.trim()) ? {} : { id: texts.wrongId }
}
