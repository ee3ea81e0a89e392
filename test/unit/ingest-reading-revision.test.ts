/** Every record states the revision of the reading: this finds out when it must be raised. */

import { expect, test } from 'bun:test'
import { sha256 } from '../../src/base/crypto/sha256.ts'
import { READING_REVISION } from '../../src/read/report/reading-revision.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace } from '../support/ingest.ts'

const lines = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${write(i)}\n`).join('')

/** One file for each kind of decision that a reading makes. */
const FILES: readonly (string | Uint8Array)[] = [
  `judet,localitate,adresa,observatii\n${lines(40, (i) => `Cluj,Gherla,Piata ${i},nota ${i}`)}Timis,,Timisoara,Str. Lunga,\n`,
  `judet,populatie,rata\n${lines(40, (i) => `Judet ${i},${600_000 + i},5.${i}`)}Cluj,691106,5.2,1.7\n`,
  `judet,barbati,femei,total\n${lines(40, (i) => `J${i},${i},${2 * i},${3 * i}`)}Alba,423,1840\n`,
  `nume,oras,nr\n${lines(40, (i) => `"Popa, ${i}",Cluj,${i}`)}Ion, Ana,Dej,7\n`,
  `a;b\n${lines(20, (i) => `x${i};${i},5`)}Sursa: INS;\n* - confidential;\n`,
  `Tabel 1\n\ngrupa,2023,2024\n,mii,mii\n${lines(20, (i) => `g${i},${i},${i + 1}`)}`,
  `a,b\n${lines(10, (i) => `${i},x${i}`)}a,b\n${lines(10, (i) => `${i},y${i}`)}`,
  `cod,sat,total\n${lines(10, (i) => `${i},x${i},7`)}sat,total,cod\n${lines(5, (i) => `y${i},7,${i}`)}`,
  `data,n\n${lines(12, (i) => `${i + 1}/1/2019,${i}`)}`,
  `stat;total\n${lines(9, (i) => `S${i};${i + 1},42,782`)}`,
  `cod^oras^note\n${lines(9, (i) => `${i}^Cluj, RO^x ${i}`)}`,
  `cod,oras\n${lines(9, (i) => `${i},'Cluj, ${i}'`)}`,
  `nume;nota\n${lines(9, (i) => `n${i};"a\n"";""b"`)}`,
  encodeText(`n,pret\n${lines(9, (i) => `${i},£10.${i}0`)}`, 'windows-1252'),
  encodeText(`n;oraș\n${lines(9, (i) => `${i};Târgu Mureș ${i}`)}`, 'iso-8859-16'),
  encodeText(`n;город\n${lines(9, (i) => `${i};Нижний Новгород ${i}`)}`, 'windows-1251'),
  Buffer.concat([Buffer.from(`a,b\n${lines(50, (i) => `${i},Iași`)}7,x`), Buffer.from([0xff, 10])]),
]

/** What `FILES` are read as, by revision. Raise the revision when it changes: served files are then read again. */
const DIGESTS: Readonly<Record<number, string>> = {
  4: '9dc91965a2bf43d56a5c1c7e85e6014f45f08abd07c0b82e4ad55e3db65ec057',
  5: '9dc91965a2bf43d56a5c1c7e85e6014f45f08abd07c0b82e4ad55e3db65ec057',
  6: 'a01655eb405ac4db573bd11860ed3535566a7e2f30e33b384545a06942b28d99',
}

test('when files are read differently than before, the revision has changed', async () => {
  const outcomes: unknown[] = []
  for (const file of FILES) {
    const place = openWorkplace()
    const { columns, refusals } = await place.attempt(file, { maxQuarantine: 0.99, maxMended: 0.99 })
    const isServed = refusals.length === 0
    outcomes.push({
      refused: refusals.map(({ kind }) => kind),
      columns: columns.map(({ name, type }) => [name, type]),
      rows: isServed ? place.rows() : [],
      mended: isServed ? place.repaired() : [],
      quarantine: isServed ? place.quarantine() : [],
      left_out: isServed ? place.leftOut() : [],
    })
  }
  const digest = Buffer.from(sha256(JSON.stringify(outcomes))).toString('hex')
  const known = DIGESTS[READING_REVISION]
  expect(known, `files are read otherwise: raise READING_REVISION, with ${digest}`).toBe(digest)
})
