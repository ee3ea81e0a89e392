/** Cells in another notation are offered as values, and as missing only if they cannot be parsed (contract 14). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, openDesk } from '../support/desk.ts'

let app: TestApp
let desk: DeskClient
beforeAll(async () => {
  app = await startTestApp()
  desk = await openDesk(app)
})
afterAll(() => app.stop())

const PLAIN = Array.from({ length: 40 }, (_, i) => `Loc ${i};${i * 13}.${10 + i}`)
const OTHERS = ['220.264,45', '1.220,5', '10.000,75', '1.234', '-', '3,25']
const TEXT = `loc;suma\n${[...PLAIN, ...OTHERS.map((text, i) => `Alt ${i};${text}`)].join('\n')}\n`

test('a draft asks how to read them, and a decision about the column answers that', async () => {
  const draft = await desk.read('sume.csv', TEXT)
  expect(draft.notations).toEqual([
    {
      ...{ column: 'suma', type: 'decimal', decimal_mark: '.', exceptions: 5, cells: 5 },
      values: [
        { value: '1.220,5', count: 1, read_as: '1220.5', otherwise: null },
        { value: '1.234', count: 1, read_as: '1.234', otherwise: '1234' },
        { value: '10.000,75', count: 1, read_as: '10000.75', otherwise: null },
        { value: '220.264,45', count: 1, read_as: '220264.45', otherwise: null },
        { value: '3,25', count: 1, read_as: '3.25', otherwise: null },
      ],
    },
  ])
  expect(draft.suspects).toMatchObject([{ column: 'suma', values: [{ value: '-', count: 1 }] }])
  const kinds = draft.questions.map(({ kind, gate, patch }: never) => [kind, gate, patch])
  expect(kinds).toContainEqual(['notation', false, ['columns']])
  const read = await desk.decide(draft.id, {
    domain: 'economy',
    read: { null_values: ['-'] },
    columns: [{ name: 'loc' }, { name: 'suma', decimal_mark: ',' }],
  })
  expect([read.notations, read.suspects]).toEqual([[], []])
  expect(read.questions.map(({ kind }: never) => kind)).not.toContain('notation')
  expect(read.report.columns[1]).toMatchObject({ type: 'decimal', null_count: 1 })
  expect(read.report.repairs).toContainEqual({ column: 'suma', kind: 'thousands_separator', count: 4 })
  expect(await desk.publish(draft.id)).toBe('published')
  const { body } = await app.get('/v1/economy/sume?loc[starts_with]=Alt&sort=loc')
  expect(body.data.map(({ suma }: { suma: number }) => suma)).toEqual([
    ...[220264.45, 1220.5, 10000.75, 1234, null, 3.25],
  ])
})

test('the next edition is read by the same decision', async () => {
  const next = await desk.read('sume.csv', TEXT.replace('220.264,45', '99.000,5'))
  expect([next.drift, next.notations]).toEqual([null, []])
  expect(next.report.columns[1].type).toBe('decimal')
})

test('an unknown decimal mark is refused by name', async () => {
  const { id } = await desk.read('mark.csv', TEXT)
  const { status, body } = await desk.call('PATCH', `/${id}`, {
    columns: [{ name: 'suma', decimal_mark: ';' }],
  })
  expect([status, body.error.code]).toEqual([422, 'invalid_body'])
  expect(body.error.message).toContain('decimal_mark')
})
