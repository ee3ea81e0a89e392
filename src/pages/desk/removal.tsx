/** @jsxImportSource preact */

/** Removing a dataset, confirmed by writing its name. */

import { accountLink } from '../account/places.ts'
import { change } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Field } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { DATASET_DESK_TEXTS } from '../texts/desk-dataset.ts'
import type { DatasetViewOptions } from './dataset-view.ts'
import { deskPath } from './places.ts'

export function Removal({ facts, dataset, path }: DatasetViewOptions) {
  const texts = useTexts(DATASET_DESK_TEXTS)
  const question = useQuestion<'remove'>()
  const { id, title } = dataset
  return (
    <section aria-labelledby="remove-title">
      <h2 id="remove-title">{texts.remove}</h2>
      <p class="soft">{texts.removeText}</p>
      <button type="button" class="danger" onClick={() => question.ask('remove')}>
        {texts.removeButton}
      </button>
      {question.open && (
        <Dialog
          id="remove"
          title={texts.removeTitle(title)}
          text={texts.removeDialog}
          submit={texts.removeButton}
          tone="danger"
          check={(values) => (values.id?.trim() === id ? {} : { id: texts.removeWrong(id) })}
          onClose={question.close}
          send={async () => {
            await change('DELETE', path)
            return () => location.assign(accountLink(facts, deskPath({ page: 'home' })))
          }}
        >
          <Field name="id" label={texts.removeLabel(id)} autoComplete="off" />
        </Dialog>
      )}
    </section>
  )
}
