/** The same request in the languages people use: ready to be pasted, but for the key. */

export interface Snippet {
  readonly name: string
  readonly text: string
}

/** Stands where the caller's own key goes. */
const KEY_PLACEHOLDER = 'API_KEY'

/** Each reads a list and keeps its rows. `address` is percent-encoded and holds no quotes of any kind. */
export function snippetsFor(address: string): Snippet[] {
  const bearer = `Bearer ${KEY_PLACEHOLDER}`
  return [
    { name: 'curl', text: `curl -H 'Authorization: ${bearer}' '${address}'` },
    {
      name: 'Python',
      text: [
        'import requests',
        `url = "${address}"`,
        `rows = requests.get(url, headers={"Authorization": "${bearer}"}).json()["data"]`,
      ].join('\n'),
    },
    {
      name: 'R',
      text: [
        'library(httr2)',
        `rows <- request("${address}") |>`,
        `  req_auth_bearer_token("${KEY_PLACEHOLDER}") |>`,
        '  req_perform() |>',
        '  resp_body_json(simplifyVector = TRUE) |>',
        '  getElement("data")',
      ].join('\n'),
    },
    {
      name: 'JavaScript',
      text: [
        `const answer = await fetch('${address}', {`,
        `  headers: { Authorization: '${bearer}' },`,
        '})',
        'const { data: rows } = await answer.json()',
      ].join('\n'),
    },
    {
      name: 'Excel Power Query',
      text: [
        'let',
        `  Source = Web.Contents("${address}",`,
        `    [Headers = [Authorization = "${bearer}"]]),`,
        '  Rows = Table.FromRecords(Json.Document(Source)[data])',
        'in',
        '  Rows',
      ].join('\n'),
    },
  ]
}
