import { expect, test } from 'bun:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { parseDomainLabels } from '../../src/base/config/domain-labels.ts'
import { differencesOf } from '../../src/pages/dataset/dataset-header.tsx'
import { element } from '../../src/pages/feed/feed.ts'
import { domainName } from '../../src/pages/parts/domain-name.ts'
import { DailyChart } from '../../src/pages/signed-in/daily-chart.tsx'
import { PageLanguage } from '../../src/pages/signed-in/page-language.ts'
import {
  countEnglish,
  countRomanian,
  formatBytes,
  formatDay,
  formatNumber,
  formatShare,
} from '../../src/pages/texts/texts.ts'
import type { VersionRecord } from '../../src/store/catalog/record.ts'

test('counts use "de" where Romanian does', () => {
  const rows = (count: number) => countRomanian(count, 'rând', 'rânduri')
  expect([0, 1, 2, 19, 20, 100, 101, 119, 120, 1000, 1001].map(rows)).toEqual([
    ...['0 rânduri', '1 rând', '2 rânduri', '19 rânduri', '20 de rânduri', '100 de rânduri', '101 rânduri'],
    ...['119 rânduri', '120 de rânduri', '1.000 de rânduri', '1.001 rânduri'],
  ])
  expect([countEnglish(1, 'row', 'rows'), countEnglish(1200, 'row', 'rows')]).toEqual(['1 row', '1,200 rows'])
})

test('numbers and days are written as each language writes them', () => {
  expect([formatNumber('ro', 1234567.25), formatNumber('en', 1234567.25)]).toEqual([
    '1.234.567,25',
    '1,234,567.25',
  ])
  expect(formatDay('ro', '2025-01-31T23:59:59Z')).toBe('31 ianuarie 2025')
  expect(formatDay('en', '2025-01-31')).toBe('31 January 2025')
  expect([999, 1500, 12_300_000].map((bytes) => formatBytes('ro', bytes))).toEqual([
    '999 B',
    '1,5 KB',
    '12 MB',
  ])
})

test('a share is never rounded to all or nothing', () => {
  const shares = [0, 0.00001, 0.005, 0.42, 0.994, 0.99999, 1].map((share) => formatShare('en', share))
  expect(shares).toEqual(['0 %', '< 1 %', '< 1 %', '42 %', '99.4 %', '99.9 %', '100 %'])
})

test('a domain without a translation is shown by its id', () => {
  expect([
    domainName({ language: 'ro', domainLabels: null }, 'education'),
    domainName({ language: 'ro', domainLabels: null }, 'labour'),
    domainName({ language: 'ro', domainLabels: null }, 'apa_si_canal'),
    domainName({ language: 'en', domainLabels: null }, 'constructor'),
  ]).toEqual(['Educație', 'Forță de muncă', 'Apa si canal', 'Constructor'])
})

test('a domain has the name that the operator gives it, in one language or in all', () => {
  const domainLabels = parseDomainLabels(
    'economy = Bani publici, economy.en=Public money,apa.ro=Apă și canal',
  )
  expect(domainLabels).toBe('economy=Bani publici,economy.en=Public money,apa.ro=Apă și canal')
  const named = (language: 'ro' | 'en', domain: string) =>
    domainName({ language, domainLabels: domainLabels ?? null }, domain)
  expect([named('ro', 'economy'), named('en', 'economy')]).toEqual(['Bani publici', 'Public money'])
  expect([named('ro', 'apa'), named('en', 'apa')]).toEqual(['Apă și canal', 'Apa'])
  for (const wrong of ['economy', 'Economy=x', 'economy=', 'economy.fr=Économie', 'a=b,,c=d'])
    expect(parseDomainLabels(wrong)).toBeUndefined()
})

test('XML keeps any text as text', () => {
  expect(element('a', { b: '"<&>\u0000' }, '</a>\ud800\u0008')).toBe(
    '<a b="&quot;&lt;&amp;&gt;">&lt;/a&gt;\ufffd</a>',
  )
})

test('versions differ by rows, columns, types and file', () => {
  const version = (rows: number, sha256: string, columns: Record<string, string>) =>
    ({
      rows,
      columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
      provenance: { source_sha256: sha256 },
    }) as unknown as VersionRecord
  const before = version(10, 'a', { kept: 'string', gone: 'date', other: 'integer' })
  const after = version(8, 'b', { kept: 'string', other: 'decimal', fresh: 'boolean' })
  expect(differencesOf(before, after)).toEqual({
    rows: -2,
    added: ['fresh'],
    removed: ['gone'],
    changed: ['other'],
    isSameFile: false,
  })
})

test('a chart of days uses at least half of its height, and no label leaves it', () => {
  const draw = (values: readonly number[]) => {
    const dayOf = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10)
    const days = values.map((count, index) => ({ date: dayOf(index), count }))
    const chart = h(DailyChart, { title: 'Days', days })
    return renderToString(h(PageLanguage.Provider, { value: 'en' }, chart))
  }
  for (const most of [11_400, 2100, 51, 7]) {
    const [, height] = /<rect[^>]* height="([\d.]+)"/.exec(draw([most]))!
    expect(Number(height)).toBeWithin(110, 221)
  }
  for (const count of [1, 7, 41, 92]) {
    const drawn = draw(Array(count).fill(1))
    const labels = [...drawn.matchAll(/x="([\d.]+)%"[^>]*text-anchor="(\w+)">([^<]+)/g)]
    expect(labels.length).toBeWithin(Math.min(count, 2), 6)
    expect(drawn.match(/<rect/g)).toHaveLength(count)
    for (const [, x, anchor] of labels)
      expect(anchor).toBe(Number(x) < 6 ? 'start' : Number(x) > 79 ? 'end' : 'middle')
  }
})
