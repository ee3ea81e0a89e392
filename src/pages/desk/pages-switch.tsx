/** @jsxImportSource preact */

/** Whether rows and files of a dataset are shown to visitors without a key. */

import { change } from '../signed-in/api.ts'
import { Form } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { DATASET_DESK_TEXTS } from '../texts/desk-dataset.ts'
import type { DatasetViewOptions } from './dataset-view.ts'

export function PagesSwitch({ dataset: { open }, path, onDone }: DatasetViewOptions) {
  const texts = useTexts(DATASET_DESK_TEXTS)
  return (
    <section aria-labelledby="pages-title">
      <h2 id="pages-title">{texts.pages}</h2>
      <p>{open ? texts.pagesOpen : texts.pagesClosed}</p>
      <Form
        id="pages"
        submit={open ? texts.closePages : texts.openPages}
        tone="quiet"
        send={async () => {
          await change('PATCH', path, { open: !open })
          onDone(open ? texts.areClosed : texts.areOpen)
        }}
      />
    </section>
  )
}
