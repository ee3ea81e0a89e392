/** @jsxImportSource preact */
import { CodeBox } from '../parts/code-box.tsx'
import { BoxedFact } from '../parts/fact.tsx'
import { questionAddress } from '../question/question.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'

/** @param address of the question in the API @param table address of the same rows as a Parquet file */
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

export interface Snippet {
  readonly name: string
  readonly text: string
}

const KEY_PLACEHOLDER = 'API_KEY'

const BEARER = `Bearer ${KEY_PLACEHOLDER}`

/** Each snippet reads a list and keeps its rows. `address` is percent-encoded and contains no quotes. */
export function snippetsFor(address: string): Snippet[] {
  return written({
    curl: [`curl -H 'Authorization: ${BEARER}' '${address}'`],
    Python: [
      'import requests',
      `url = "${address}"`,
      `rows = requests.get(url, headers={"Authorization": "${BEARER}"}).json()["data"]`,
    ],
    R: [
      'library(httr2)',
      `rows <- request("${address}") |>`,
      `  req_auth_bearer_token("${KEY_PLACEHOLDER}") |>`,
      '  req_perform() |>',
      '  resp_body_json(simplifyVector = TRUE) |>',
      '  getElement("data")',
    ],
    JavaScript: [
      `const answer = await fetch('${address}', {`,
      `  headers: { Authorization: '${BEARER}' },`,
      '})',
      'const { data: rows } = await answer.json()',
    ],
    'Excel Power Query': [
      'let',
      `  Source = Web.Contents("${address}",`,
      `    [Headers = [Authorization = "${BEARER}"]]),`,
      '  Rows = Table.FromRecords(Json.Document(Source)[data])',
      'in',
      '  Rows',
    ],
  })
}

/** Each reads all rows of a Parquet file into a table. `address` as above. */
export function tableSnippetsFor(address: string): Snippet[] {
  return written({
    pandas: [
      'import pandas',
      `rows = pandas.read_parquet("${address}",`,
      `    storage_options={"Authorization": "${BEARER}"})`,
    ],
    DuckDB: [
      'INSTALL httpfs; LOAD httpfs;',
      `CREATE SECRET (TYPE http, BEARER_TOKEN '${KEY_PLACEHOLDER}');`,
      `FROM read_parquet('${address}');`,
    ],
    Polars: [
      'import io, polars, requests',
      `answer = requests.get("${address}", headers={"Authorization": "${BEARER}"})`,
      'rows = polars.read_parquet(io.BytesIO(answer.content))',
    ],
  })
}

function written(snippets: Readonly<Record<string, readonly string[]>>): Snippet[] {
  return Object.entries(snippets).map(([name, lines]) => ({ name, text: lines.join('\n') }))
}
