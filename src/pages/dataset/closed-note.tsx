/** @jsxImportSource preact */
import { snippetsFor } from '../explorer/code-panel.tsx'
import type { View } from '../layout/view.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'

export function ClosedNote({ view, endpoint }: { view: View; endpoint: string }) {
  const texts = DATASET_TEXTS[view.language]
  const [curl] = snippetsFor(view.base + endpoint)
  return (
    <div class="note">
      <p>
        {texts.closed} <a href={view.link('/account')}>{texts.closedLink}</a>
      </p>
      <CodeBox language={view.language} label={curl!.name} text={curl!.text} />
    </div>
  )
}
