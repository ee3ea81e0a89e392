/** @jsxImportSource preact */

/** The question for programs: its address and snippets to paste. */

import { CodeBox } from '../parts/code-box.tsx'
import { BoxedFact } from '../parts/fact.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { apiAddress, languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { questionAddress } from './question.ts'
import { snippetsFor } from './snippets.ts'

export function CodePanel(props: ExplorerProps) {
  const { language, question } = props
  const texts = EXPLORER_TEXTS[language]
  const address = apiAddress(props, question)
  return (
    <details class="code">
      <summary>
        <h3 id="code-heading">{texts.code}</h3>
      </summary>
      <p>
        {texts.codeText} <a href={questionAddress('/account', languageOf(props))}>{texts.codeKey}</a>.
      </p>
      <dl class="snippets">
        <BoxedFact name={texts.address}>
          {' '}
          <CodeBox language={language} label={texts.address} text={address} id="api-address" />
        </BoxedFact>
        {snippetsFor(address).map(({ name, text }) => (
          <BoxedFact name={name}>
            {' '}
            <CodeBox language={language} label={name} text={text} />
          </BoxedFact>
        ))}
      </dl>
    </details>
  )
}
