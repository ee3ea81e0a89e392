/** @jsxImportSource preact */

/** The question for programs: its address and snippets to paste. */

import { CodeBox } from '../parts/code-box.tsx'
import { BoxedFact } from '../parts/fact.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { questionAddress } from './question.ts'
import { snippetsFor, tableSnippetsFor } from './snippets.ts'

/**
 * @param address the question as it is put to the API
 * @param table the same rows as a Parquet file
 */
export function CodePanel({
  language,
  chosenLanguage,
  address,
  table,
}: Pick<ExplorerProps, 'language' | 'chosenLanguage'> & { address: string; table?: string }) {
  const texts = EXPLORER_TEXTS[language]
  return (
    <details class="code">
      <summary>
        <h3 id="code-heading">{texts.code}</h3>
      </summary>
      <p>
        {texts.codeText}{' '}
        <a href={questionAddress('/account', languageOf({ chosenLanguage }))}>{texts.codeKey}</a>.
      </p>
      <dl class="snippets">
        <BoxedFact name={texts.address}>
          {' '}
          <CodeBox language={language} label={texts.address} text={address} id="api-address" />
        </BoxedFact>
        {[...snippetsFor(address), ...(table ? tableSnippetsFor(table) : [])].map(({ name, text }) => (
          <BoxedFact name={name}>
            {' '}
            <CodeBox language={language} label={name} text={text} />
          </BoxedFact>
        ))}
      </dl>
      <p class="small">
        <a href={questionAddress('/docs/guides/tools', languageOf({ chosenLanguage }))}>{texts.tools}</a>
      </p>
    </details>
  )
}
