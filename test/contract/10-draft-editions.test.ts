/** Which dataset a draft is an edition of, and what it asks (contract 14, "The desk"). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { type DeskClient, deskOf, makePublisher } from '../support/desk.ts'
import { cnp } from '../support/personal.ts'

const MONTH = (month: number) =>
  `judet,luna,someri\n${['Alba', 'Arad', 'Cluj'].map((county) => `${county},${month},${month * 100}\n`).join('')}`

let accounts: AccountApp
/** Publisher of all domains. */
let ion: DeskClient
/** Publisher of the domain economy. */
let ana: DeskClient
beforeAll(async () => {
  accounts = await startAccountApp()
  const people = [await accounts.signUp('ion@example.org'), await accounts.signUp('ana@example.org')] as const
  await makePublisher(accounts, 'ion@example.org')
  await makePublisher(accounts, 'ana@example.org', ['economy'])
  ion = deskOf(accounts, people[0])
  ana = deskOf(accounts, people[1])
  const first = await ion.read('iulie.csv', MONTH(7))
  const texts = { title: 'Șomajul', description: 'Pe județe.', license: 'CC-BY-4.0', publisher: 'ANOFM' }
  await ion.decide(first.id, { domain: 'economy', id: 'somaj', ...texts, read: { null_values: ['-'] } })
  expect(await ion.publish(first.id)).toBe('published')
  await accounts.app.ingestCsv(MONTH(1), { id: 'clinici', domain: 'health' })
}, 60_000)
afterAll(() => accounts.stop())

const kinds = (draft: { questions: readonly { kind: string }[] }) => draft.questions.map(({ kind }) => kind)

describe('a file of another name', () => {
  test('is offered datasets with similar columns, only from the domains of the publisher', async () => {
    const draft = await ion.read('altceva.csv', MONTH(8))
    expect(draft.candidates).toEqual([
      { id: 'clinici', domain: 'health', title: 'clinici', share: 1 },
      { id: 'somaj', domain: 'economy', title: 'Șomajul', share: 1 },
    ])
    expect(draft).toMatchObject({ served_version: null, served_rows: null, difference: null })
    const own = await ana.read('altceva.csv', MONTH(8).trimEnd().replaceAll(/$/gm, ',5').replace(',5', ',nr'))
    expect(own.candidates).toEqual([{ id: 'somaj', domain: 'economy', title: 'Șomajul', share: 0.75 }])
    expect((await ana.read('orase.csv', 'oras,judet\nDej,Cluj\n')).candidates).toEqual([])
  })

  test('can become an edition, with the texts and definition of its dataset, or a new dataset again', async () => {
    const draft = await ana.read('august.csv', MONTH(8))
    expect(kinds(draft)).toEqual(['edition'])
    await ana.decide(draft.id, { title: 'Altfel', description: 'Altceva', read: { header_row: 1 } })
    const edition = await ana.decide(draft.id, { dataset: 'somaj' })
    expect(edition).toMatchObject({
      ...{ served_version: 1, served_rows: 3, questions: [], candidates: [] },
      dataset: { id: 'somaj', domain: 'economy', title: 'Șomajul' },
      definition: {
        ...{ title: 'Șomajul', description: 'Pe județe.', license: 'CC-BY-4.0', publisher: 'ANOFM' },
        read: { null_values: ['-'], header_row: 1 },
      },
      difference: { added: 3, removed: 3 },
    })
    const back = await ana.decide(draft.id, { dataset: null, title: 'Altfel' })
    expect(back).toMatchObject({
      ...{ served_version: null, difference: null },
      dataset: { id: 'august', domain: 'economy', title: 'Altfel' },
      definition: { id: 'august', read: { header_row: 1 } },
    })
    await ana.decide(draft.id, { dataset: 'somaj', mode: 'append' })
    expect(await ana.publish(draft.id)).toBe('published')
    expect((await accounts.app.get('/v1/datasets/somaj')).body).toMatchObject({
      ...{ title: 'Șomajul', license: 'CC-BY-4.0', row_count: 6 },
    })
  })

  test('cannot become an edition of a dataset that does not exist or is in another domain', async () => {
    const { id } = await ana.read('septembrie.csv', MONTH(9))
    const patch = async (part: object) => {
      const { status, body } = await ana.call('PATCH', `/${id}`, part)
      return `${status} ${body.error?.code}`
    }
    expect(await patch({ dataset: 'nimic' })).toBe('404 dataset_not_found')
    expect(await patch({ dataset: 'clinici' })).toBe('403 role_missing')
    expect(await patch({ dataset: 5 })).toBe('422 invalid_body')
    expect(await patch({ dataset: 'somaj', domain: 'health' })).toBe('403 role_missing')
    expect((await ana.call('GET', `/${id}`)).body.dataset.id).toBe('septembrie')
  })

  test('gets another id without being read again, unless a dataset has that id', async () => {
    const { id } = await ion.read('octombrie.csv', MONTH(10))
    const { body } = await ion.call('PATCH', `/${id}`, { id: 'toamna' })
    expect(body).toMatchObject({ state: 'ready', revision: 1, dataset: { id: 'toamna' } })
    expect(body.report.dataset).toBe('toamna')
    expect(await ion.decide(id, { id: 'somaj' })).toMatchObject({ revision: 2, served_version: 2 })
    await ion.decide(id, { dataset: null, domain: 'economy' })
    expect(await ion.publish(id)).toBe('published')
    expect((await accounts.app.get('/v1/datasets/octombrie')).status).toBe(200)
  })
})

describe('questions', () => {
  test('have a code, a column, what answers them, and whether publishing waits', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${i},${cnp(i)},om.${i}@example.org,${i < 30 ? i : '-'}\n`,
    )
    const draft = await ion.read('oameni.csv', `nr,titular,adresa,suma\n${rows.join('')}`)
    expect(draft.questions).toMatchObject([
      { kind: 'domain', code: 'draft_not_ready', gate: true, column: null, patch: ['domain', 'dataset'] },
      {
        ...{ kind: 'personal_data', code: 'personal_data', gate: true, column: 'titular' },
        ...{ patch: ['columns', 'personal_data'], publish: 'allow_personal_data' },
        values: { kind: 'cnp', rows: 40 },
      },
      { kind: 'personal_data', gate: false, column: 'adresa', values: { kind: 'email', rows: 40 } },
      { kind: 'null_values', gate: false, column: 'suma', publish: null, values: { cells: 10 } },
    ])
    const { body } = await ion.call('PATCH', `/${draft.id}`, { domain: 'economy' })
    expect(kinds(body)).toEqual(['personal_data', 'personal_data', 'null_values'])
    const answered = await ion.decide(draft.id, { personal_data: ['titular', 'adresa'] })
    expect(kinds(answered)).toEqual(['null_values'])
    expect(await ion.publish(draft.id)).toBe('published')
  })

  test('are why a request to publish is refused, each gate with its code', async () => {
    const town = (i: number) => `${i},oras ${i},${i * 3}\n`
    const whole = await ion.read(
      'orase.csv',
      `n,oras,suma\n${Array.from({ length: 60 }, (_, i) => town(i)).join('')}`,
    )
    await ion.decide(whole.id, { domain: 'economy' })
    expect(await ion.publish(whole.id)).toBe('published')
    const worse = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? `${i},${i * 3}\n` : town(i)))
    const draft = await ion.read('orase.csv', `n,localitate,suma\n${worse.join('')}`)
    const gates = draft.questions.filter(({ gate }: { gate: boolean }) => gate)
    expect(gates.length).toBeGreaterThan(1)
    let answers: Record<string, unknown> = {}
    for (const { code, publish } of gates) {
      expect(await ion.publish(draft.id, answers)).toBe(`409 ${code}`)
      answers = { ...answers, [publish]: publish.startsWith('max_') ? 1 : true }
    }
    expect(await ion.publish(draft.id, answers)).toBe('published')
  })
})
