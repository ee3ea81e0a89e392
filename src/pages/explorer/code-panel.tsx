/** @jsxImportSource preact */

/** The question for programs: its address and lines to paste. */

import { CodeBox } from '../parts/code-box.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { apiAddress, languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer.tsx'
import { questionAddress } from './question.ts'
import { snippetsFor } from './snippets.ts'

export function CodePanel(props: ExplorerProps) {
  const { language, question } = props
  const texts = EXPLORER_TEXTS[language]
  const address = apiAddress(props, question)
  return (
    <section class="code" aria-labelledby="code-heading">
      <h3 id="code-heading">{texts.code}</h3>
      <p>
        {texts.codeText} <a href={questionAddress('/account', languageOf(props))}>{texts.codeKey}</a>.
      </p>
      <dl class="snippets">
        <div>
          <dt>{texts.address}</dt>
          <dd>
            <CodeBox language={language} label={texts.address} text={address} id="api-address" />
          </dd>
        </div>
        {snippetsFor(address).map(({ name, text }) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <CodeBox language={language} label={name} text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
