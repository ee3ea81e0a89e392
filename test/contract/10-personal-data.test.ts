/** Personal codes are not published without an answer by name, whatever the way (contract 10); nothing is set here. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { type DeskClient, deskOf, makePublisher } from '../support/desk.ts'
import { cnp } from '../support/personal.ts'

let accounts: AccountApp
let desk: DeskClient
beforeAll(async () => {
  accounts = await startAccountApp()
  const browser = await accounts.signUp('ana@example.org')
  await makePublisher(accounts, 'ana@example.org')
  desk = deskOf(accounts, browser)
}, 60_000)
afterAll(() => accounts.stop())

const rows = (from: number) =>
  Array.from({ length: 30 }, (_, i) => `${from + i},dosar ${cnp(from + i)} depus,${cnp(from + i)}\n`).join('')
const table = (from: number) => `n,nota,titular_cnp\n${rows(from)}`

test('a draft with codes is 409 until each column is named, and the next edition asks for none of them', async () => {
  const draft = await desk.read('cereri.csv', table(0))
  expect(draft.report.personal_data).toMatchObject([
    { column: 'nota', kind: 'cnp', acknowledged: false },
    { column: 'titular_cnp', kind: 'cnp', acknowledged: false },
  ])
  await desk.decide(draft.id, { domain: 'economy' })
  const { status, body } = await desk.call('POST', `/${draft.id}/publish`, { accept_drift: true })
  expect([status, body.error.code]).toEqual([409, 'personal_data'])
  expect(body.error.detail).toMatchObject([{ location: 'body.allow_personal_data' }])
  const publish = (allow: unknown, id = draft.id) => desk.publish(id, { allow_personal_data: allow })
  expect(await publish(['titular_cnp'])).toBe('409 personal_data')
  expect(await publish([])).toBe('409 personal_data')
  expect(await publish(['titular_cnp', 'nots'])).toBe('422 invalid_body')
  expect(await publish('titular_cnp')).toBe('422 invalid_body')
  expect(await publish(['titular_cnp', 'nota'])).toBe('published')
  expect((await desk.call('GET', `/${draft.id}/definition`)).body.personal_data).toEqual([
    'titular_cnp',
    'nota',
  ])
  const next = await desk.read('cereri.csv', table(50))
  expect(await desk.publish(next.id)).toBe('published')
})

test('a column that is left out needs no answer, and none of it is served', async () => {
  const draft = await desk.read('plati.csv', table(100))
  const columns = [{ name: 'n' }]
  await desk.decide(draft.id, { domain: 'economy', columns, other_columns: 'drop' })
  expect(await desk.publish(draft.id)).toBe('published')
})

test('addresses, telephones and accounts are named in the report, and refuse nothing', async () => {
  const people = Array.from({ length: 30 }, (_, i) => `${i},nume.${i}@example.org\n`).join('')
  const draft = await desk.read('contacte.csv', `n,adresa\n${people}`)
  expect(draft.report.personal_data).toMatchObject([{ column: 'adresa', kind: 'email' }])
  expect(draft.report.warning_codes).toMatchObject([{ code: 'personal_data' }])
  await desk.decide(draft.id, { domain: 'economy' })
  expect(await desk.publish(draft.id)).toBe('published')
})
