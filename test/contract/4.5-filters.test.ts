import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

/** Towns by the first letters that distinguish them, in file order. */
const NAMES = ['Cluj', 'Turda', 'Iași', 'Pașcani', 'Hârlău', 'Alba', '', 'București', 'Nicăieri', 'Onești']

const CASES: readonly [string, string[]][] = [
  ['county=cluj', ['Cluj', 'Turda']],
  ['county=IA%C5%9EI', ['Iași', 'Pașcani', 'Hârlău']],
  ['county=Iasi', []],
  ['county[eq]=alba', ['Alba', '']],
  ['county%5Beq%5D=alba', ['Alba', '']],
  ['county=alba&county=bac%C4%83u', ['Alba', '', 'Onești']],
  ['county=alba&county[eq]=bacău', ['Alba', '', 'Onești']],
  ['county=iași&year=2022', ['Iași', 'Pașcani']],
  ['county[ne]=iași', ['Cluj', 'Turda', 'Alba', '', 'București', 'Onești']],
  ['county[in]=alba,bacău', ['Alba', '', 'Onești']],
  ['county[not_in]=alba,bacău,iași', ['Cluj', 'Turda', 'București']],
  ['county[gt]=bucurești', ['Cluj', 'Turda', 'Iași', 'Pașcani', 'Hârlău']],
  ['county[lte]=bacău', ['Alba', '', 'Onești']],
  ['county[is_null]=true', ['Nicăieri']],
  ['county[is_null]=true&county[is_null]=false', NAMES],
  ['town=', ['']],
  ['town[ne]=', ['Cluj', 'Turda', 'Iași', 'Pașcani', 'Hârlău', 'Alba', 'București', 'Nicăieri', 'Onești']],
  ['town[in]=turda,""', ['Turda', '']],
  ['town[in]="Alba Iulia, ""cetatea""",turda', ['Turda', 'Alba']],
  ['town[contains]=ȘT', ['București', 'Onești']],
  ['town[contains]=-napoca', ['Cluj']],
  ['town[starts_with]=p', ['Pașcani']],
  ['town[starts_with]=alba+iulia', ['Alba']],
  ['year=2021', ['Cluj', 'Turda', 'Hârlău']],
  ['year=2021.0', ['Cluj', 'Turda', 'Hârlău']],
  ['year[ne]=2021', ['Iași', 'Pașcani', 'Alba', '', 'Nicăieri', 'Onești']],
  ['year[gt]=2021&year[lt]=2023', ['Iași', 'Pașcani']],
  ['year[in]=2020,2023', ['Alba', '', 'Nicăieri', 'Onești']],
  ['people[gte]=64227&people[lte]=286598', ['Cluj', 'Iași', 'Alba']],
  ['area[lt]=0.0', ['Nicăieri']],
  ['area=179.50', ['Cluj']],
  ['area[is_null]=true', ['Hârlău']],
  ['seat=true', ['Cluj', 'Iași', 'Alba', 'București']],
  ['seat[ne]=true', ['Turda', 'Pașcani', '', 'Onești']],
  ['seat[is_null]=true', ['Hârlău', 'Nicăieri']],
  ['counted_on=2020-02-29', ['București']],
  ['counted_on[lt]=2020-01-01', ['Nicăieri']],
  ['entered_at=2021-12-01T08:00:00Z', ['Cluj']],
  ['entered_at=2021-12-01T10:00:00%2B02:00', ['Cluj']],
  ['entered_at=2021-12-01T08:00:00.500Z', ['Turda']],
  ['entered_at[gt]=2021-12-01T08:00:00Z', ['Turda', 'Iași', 'Alba']],
  ['entered_at[lte]=2020-01-01', ['Nicăieri', 'Onești']],
  ['count[eq]=2', ['Iași', 'Pașcani']],
  ['count[gte]=4&count=true', ['București', 'Onești']],
  ['&&county=cluj&', ['Cluj', 'Turda']],
]

const REFUSED: readonly [string, string, string][] = [
  ['people=12a', 'invalid_value', 'query.people'],
  ['people=', 'invalid_value', 'query.people'],
  ['people=1.5', 'invalid_value', 'query.people'],
  ['people=9007199254740992', 'invalid_value', 'query.people'],
  ['area=1,5', 'invalid_value', 'query.area'],
  ['seat=da', 'invalid_value', 'query.seat'],
  ['counted_on=2021-02-30', 'invalid_value', 'query.counted_on'],
  ['counted_on=2021-12-01T08:00:00Z', 'invalid_value', 'query.counted_on'],
  ['entered_at=2021-12-01T10:00:00+02:00', 'invalid_value', 'query.entered_at'],
  ['county[is_null]=da', 'invalid_value', 'query.county[is_null]'],
  ['county[in]=', 'invalid_value', 'query.county[in]'],
  ['county[in]=a,,b', 'invalid_value', 'query.county[in]'],
  ['county[in]="a', 'invalid_value', 'query.county[in]'],
  ['year[in]=2020,x', 'invalid_value', 'query.year[in]'],
  ['town[contains]=', 'invalid_value', 'query.town[contains]'],
  ['town[starts_with]=', 'invalid_value', 'query.town[starts_with]'],
  ['year[contains]=2', 'unknown_operator', 'query.year[contains]'],
  ['counted_on[starts_with]=2', 'unknown_operator', 'query.counted_on[starts_with]'],
  ['seat[gt]=false', 'unknown_operator', 'query.seat[gt]'],
  ['county[foo]=a', 'unknown_operator', 'query.county[foo]'],
  ['county[]=a', 'unknown_operator', 'query.county[]'],
  ['county[EQ]=a', 'unknown_operator', 'query.county[EQ]'],
  ['contry=a', 'unknown_column', 'query.contry'],
  ['contry[eq]=a', 'unknown_column', 'query.contry[eq]'],
  ['county[eq=a', 'unknown_column', 'query.county[eq'],
  ['[eq]=a', 'unknown_column', 'query.[eq]'],
  ['=a', 'unknown_column', 'query.'],
  ['limit[eq]=5', 'unknown_column', 'query.limit[eq]'],
]

describe('4.5 filters', () => {
  test.each(CASES)('%s', async (query, expected) => {
    const { status, body } = await app.get(`${TOWNS_PATH}?fields=town&${query}`)
    expect(status).toBe(200)
    const wanted = expected.map((name) => NAMES.indexOf(name))
    const all = TOWNS.table.rows.map((row) => row[1])
    expect(body.data.map((row: { town: string }) => all.indexOf(row.town))).toEqual(wanted)
    expect(body.pagination.total).toBe(expected.length)
  })

  test.each(REFUSED)('%s is refused with %s at %s', async (query, code, location) => {
    for (const path of [TOWNS_PATH, `${TOWNS_PATH}/export`]) {
      const { status, body } = await app.get(`${path}?${query}`)
      expect(status).toBe(422)
      expect(body.error.code).toBe(code)
      expect(body.error.detail).toHaveLength(1)
      expect(body.error.detail[0].location).toBe(location)
    }
  })

  test.each([
    ['seat=da', 'true'],
    ['entered_at=2021-12-01T10:00:00+02:00', '2021-12-01T10:00:00%2B02:00'],
    ['county[EQ]=a', 'eq'],
    ['county[%21%3D]=a', 'ne'],
    ['county[like]=a', 'contains'],
    ['contry=a', 'county'],
  ])('%s suggests %s', async (query, suggestion) => {
    const { body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect(body.error.detail[0].suggestions[0]).toBe(suggestion)
  })

  test('a list may have as many items as fit in the address', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => index).join()
    const { status, body } = await app.get(`${TOWNS_PATH}?count[in]=${items}`)
    expect(status).toBe(200)
    expect(body.pagination.total).toBe(8)
  })

  test('an address with unencoded UTF-8, as curl sends it, is understood', async () => {
    const head = `GET ${TOWNS_PATH}?county=Iași&fields=people HTTP/1.1\r\nHost: localhost\r\n`
    const parts = [head, `Authorization: Bearer ${app.key}\r\nConnection: close\r\n\r\n`]
    const answer = await rawRequest(app.url, { parts })
    expect(answer).toContain('{"people":271692},{"people":30766},{"people":9136}')
  })
})
