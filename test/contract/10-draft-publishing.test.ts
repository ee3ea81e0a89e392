/** Publishing drafts: what prevents it, and what resolves that (contract 10). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AccountApp, startAccountApp } from '../support/browser.ts'
import { type DeskClient, deskOf, makePublisher } from '../support/desk.ts'

const TABLE = 'town,sold\nCluj,5\nIași,6\n'

let accounts: AccountApp
/** Publisher of the domain economy. */
let ana: DeskClient
/** Publisher of all domains. */
let ion: DeskClient
/** Ana's draft, read and ready. */
let draft: string
beforeAll(async () => {
  accounts = await startAccountApp({ personal_data: 'strict' })
  const browsers = [
    await accounts.signUp('ana@example.org'),
    await accounts.signUp('ion@example.org'),
  ] as const
  await makePublisher(accounts, 'ana@example.org', ['economy'])
  await makePublisher(accounts, 'ion@example.org')
  ana = deskOf(accounts, browsers[0])
  ion = deskOf(accounts, browsers[1])
  draft = (await ana.read('sold.csv', TABLE)).id
}, 60_000)
afterAll(() => accounts.stop())

describe('publishing', () => {
  test('accepts only its five answers', async () => {
    for (const answers of [
      { force: true },
      { accept_drift: 'yes' },
      { max_quarantine: 5 },
      { max_mended: '5' },
      { max_mended: '500%' },
      { accept_shrink: 1 },
    ])
      expect(await ana.publish(draft, answers)).toBe('422 invalid_body')
  })

  test('needs a draft that was read, gave a table and has a domain', async () => {
    const { body: waiting } = await ion.upload('a.csv', TABLE)
    expect(await ion.publish(waiting.id)).toBe('409 draft_not_ready')
    await ion.settled(waiting.id)
    const noDomain = await ion.call('POST', `/${waiting.id}/publish`, {})
    expect(noDomain.body.error).toMatchObject({
      code: 'draft_not_ready',
      detail: [{ location: 'draft.domain' }],
    })
    const printed = [
      'Town            Sold   Year',
      'Cluj-Napoca       12   2024',
      'Iași               7   2024',
    ]
    const noTable = await ion.read('printed.txt', `${[...printed, ...printed.slice(1)].join('\n')}\n`)
    expect(noTable.state).toBe('refused')
    expect(noTable.report.refusals).toHaveLength(1)
    expect(noTable.records.length).toBeGreaterThan(0)
    expect(await ion.publish(noTable.id)).toBe('409 draft_not_ready')
    expect((await ion.call('GET', `/${noTable.id}/definition`)).body.error.code).toBe('draft_not_ready')
    for (const { id } of (await ion.call('GET', '')).body) await ion.call('DELETE', `/${id}`)
  })

  test('passes a gate only with its answer', async () => {
    const people = await ion.read('people.csv', 'name,email\nAna,ana@example.org\nIon,ion@example.org\n')
    await ion.decide(people.id, { domain: 'economy' })
    expect(await ion.publish(people.id)).toBe('409 personal_data')
    expect(await ion.publish(people.id, { allow_personal_data: false })).toBe('409 personal_data')
    expect(await ion.publish(people.id, { allow_personal_data: true })).toBe('published')
    expect((await ion.call('GET', `/${people.id}/definition`)).body.personal_data).toEqual(['email'])
    // It is a decision: the next edition needs no answer.
    const next = await ion.read('people.csv', 'name,email\nAna,ana@example.org\nIon,ion@example.net\n')
    expect(await ion.publish(next.id)).toBe('published')
  })

  test('of a file with other columns is 409 schema_drift until it is accepted', async () => {
    const first = await ana.read('trade.csv', 'county,value\nCluj,5\nIași,6\n')
    expect(await ana.publish(first.id)).toBe('published')
    const next = await ana.read('trade.csv', 'judet,value,year\nCluj,7,2025\n')
    expect(next.drift).toMatchObject({ missing: ['county'], added: [{ name: 'judet' }, { name: 'year' }] })
    const { status, body } = await ana.call('POST', `/${next.id}/publish`, {})
    expect([status, body.error.code]).toEqual([409, 'schema_drift'])
    expect(body.error.detail).toMatchObject([{ location: 'body.accept_drift' }])
    expect(body.error.message).toContain("no column for 'county'")
    expect(body.error.message).toContain('"accept_drift": true')
    expect(body.error.message).not.toContain('--')
    // The alert stays until something is published, as after a refused ingest.
    const { refusals } = accounts.app.app.catalog
    expect(refusals.find('trade')).toMatchObject({
      domain: 'economy',
      reason: expect.stringContaining('county'),
    })
    expect(await ana.publish(next.id, { accept_drift: true })).toBe('published')
    expect(refusals.find('trade')).toBeUndefined()
    const empty = await ana.read('trade.csv', 'judet,value,year\n')
    expect(await ana.publish(empty.id)).toBe('409 schema_drift')
  })

  test('of a file with too many bad rows is refused with their number', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => (i % 5 === 0 ? `${i},five` : `${i},${i * 2}`))
    const bad = await ana.read('bad.csv', `n,value\n${rows.join('\n')}\n`)
    await ana.decide(bad.id, { columns: [{ name: 'n' }, { name: 'value', type: 'integer' }] })
    const { body } = await ana.call('POST', `/${bad.id}/publish`, {})
    expect(body.error).toMatchObject({
      code: 'too_many_quarantined',
      detail: [{ location: 'body.max_quarantine' }],
    })
    expect(body.error.message).toContain('6 of 30 rows')
    const listed = await ana.call('GET', `/${bad.id}/quarantine?limit=2`)
    expect(listed.body).toEqual({
      data: [
        { line: 2, column: 'value', reason: 'invalid_integer', raw: '0,five' },
        { line: 7, column: 'value', reason: 'invalid_integer', raw: '5,five' },
      ],
      pagination: { total: 6, count: 2, limit: 2, offset: 0, has_next: true, next_offset: 2 },
    })
    const csv = await ana.call('GET', `/${bad.id}/quarantine?format=csv`)
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="quarantine.csv"')
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'line,column,reason,raw',
      '2,value,invalid_integer,"0,five"',
    ])
    expect(await ana.publish(bad.id, { max_quarantine: 0.1 })).toBe('409 too_many_quarantined')
    expect(await ana.publish(bad.id, { max_quarantine: 0.2 })).toBe('published')
  })

  test('of a file with too many mended rows is refused', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},town ${i},${i * 3}${i % 10 === 0 ? ',' : ''}`)
    const mended = await ana.read('mended.csv', `n,town,value\n${rows.join('\n')}\n`)
    expect(await ana.publish(mended.id)).toBe('409 too_many_mended')
    const listed = await ana.call('GET', `/${mended.id}/repaired`)
    expect(listed.body.pagination.total).toBe(4)
    expect(listed.body.data[0]).toEqual({ line: 2, kind: 'surplus_blanks', raw: '0,town 0,0,' })
    expect(await ana.publish(mended.id, { max_mended: '10%' })).toBe('published')
  })

  test('of a file with fewer than half as many rows as are served is 409 too_few_rows until that is accepted', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},town ${i}\n`)
    const whole = await ana.read('towns.csv', `n,town\n${rows.join('')}`)
    await ana.decide(whole.id, { domain: 'economy' })
    expect(await ana.publish(whole.id)).toBe('published')
    const few = await ana.read('towns.csv', `n,town\n${rows.slice(0, 2).join('')}`)
    const { body } = await ana.call('POST', `/${few.id}/publish`, { accept_drift: true })
    expect(body.error).toMatchObject({ code: 'too_few_rows', detail: [{ location: 'body.accept_shrink' }] })
    expect(await ana.publish(few.id, { accept_shrink: true })).toBe('published')
  })

  test('appends rows once: a key that is already served is 409 duplicate_key', async () => {
    const first = await ana.read('months.csv', 'month,town,sold\n1,Cluj,5\n1,Iași,6\n')
    await ana.decide(first.id, { primary_key: ['month', 'town'], mode: 'append' })
    expect(await ana.publish(first.id)).toBe('published')
    const again = await ana.read('months.csv', 'month,town,sold\n1,Cluj,7\n2,Cluj,8\n')
    const { body } = await ana.call('POST', `/${again.id}/publish`, { accept_drift: true })
    expect(body.error).toMatchObject({ code: 'duplicate_key', detail: [{ location: 'draft' }] })
    await ana.decide(again.id, { replace_where: ['month'] })
    expect(await ana.publish(again.id)).toBe('published')
    const { body: served } = await accounts.app.get('/v1/economy/months?sort=month,town')
    expect(served.data.map((row: object) => Object.values(row))).toEqual([
      [1, 'Cluj', 7],
      [2, 'Cluj', 8],
    ])
  })

  test('is 409 draft_outdated when somebody else published meanwhile, until the draft is read again', async () => {
    const own = await ana.read('prices.csv', 'town,price\nCluj,5\n')
    await ana.decide(own.id, { domain: 'economy' })
    const other = await ion.read('prices.csv', 'town,price\nIași,6\n')
    await ion.decide(other.id, { domain: 'economy' })
    expect(await ana.publish(own.id)).toBe('published')
    expect((await ion.call('GET', `/${other.id}`)).body).toMatchObject({ outdated: true, served_version: 1 })
    expect(await ion.publish(other.id, { accept_drift: true })).toBe('409 draft_outdated')
    expect(await ion.decide(other.id, {})).toMatchObject({ outdated: false, state: 'ready' })
    expect(await ion.publish(other.id)).toBe('published')
    expect((await accounts.app.get('/v1/economy/prices')).body.data).toEqual([{ town: 'Iași', price: 6 }])
  })

  test('is final: a published draft can be neither changed nor published again', async () => {
    const done = (await ana.call('GET', '')).body.find((one: { state: string }) => one.state === 'published')
    expect(await ana.publish(done.id)).toBe('409 draft_not_ready')
    const { body } = await ana.call('PATCH', `/${done.id}`, { title: 'Other' })
    expect(body.error.code).toBe('draft_not_ready')
    expect((await ana.call('DELETE', `/${done.id}`)).status).toBe(204)
    expect((await ana.call('DELETE', `/${done.id}`)).status).toBe(404)
  })
})
