/** A request in several languages, ready to paste once the key is filled in. */

export interface Snippet {
  readonly name: string
  readonly text: string
}

/** Placeholder for the caller's key. */
const KEY_PLACEHOLDER = 'API_KEY'

/** Each snippet reads a list and keeps its rows. `address` is percent-encoded and contains no quotes. */
export function snippetsFor(address: string): Snippet[] {
  const bearer = `Bearer ${KEY_PLACEHOLDER}`
  const snippets = {
    curl: [`curl -H 'Authorization: ${bearer}' '${address}'`],
    Python: [
      'import requests',
      `url = "${address}"`,
      `rows = requests.get(url, headers={"Authorization": "${bearer}"}).json()["data"]`,
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
      `  headers: { Authorization: '${bearer}' },`,
      '})',
      'const { data: rows } = await answer.json()',
    ],
    'Excel Power Query': [
      'let',
      `  Source = Web.Contents("${address}",`,
      `    [Headers = [Authorization = "${bearer}"]]),`,
      '  Rows = Table.FromRecords(Json.Document(Source)[data])',
      'in',
      '  Rows',
    ],
  }
  return Object.entries(snippets).map(([name, lines]) => ({ name, text: lines.join('\n') }))
}
