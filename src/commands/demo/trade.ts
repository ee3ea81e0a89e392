/** Monthly foreign trade in goods: one row per month, flow, NC8 code and partner country, skewed as trade is. */

import type { Random, SampleCell, SampleTable } from './sample-table.ts'

export const TRADE_COLUMNS = [
  'year month flow_code cn8_code origin_country_code partner_country_code transaction_nature_code',
  'transport_mode_code delivery_terms_code supplementary_quantity net_mass_kg value_lei cn8_description',
].flatMap((line) => line.split(' '))

const KINDS = ['Mașini', 'Părți', 'Țesături', 'Produse', 'Aparate', 'Vehicule', 'Cărnuri', 'Brânzeturi']
const LINKS = ['de', 'pentru', 'din']
const STUFFS = ['oțel', 'plastic', 'lână', 'cauciuc', 'porc', 'aluminiu']
// ISO 3166 codes, the largest partners first. "NA" is Namibia, as in the published files, and not null.
const COUNTRIES = [
  'DE IT FR HU PL BG TR CN NL AT ES CZ BE GB US SK UA MD GR RU SE CH KR SI RS IL EG SA IN BR JP NA',
  'AE AD AF AG AI AL AM AO AQ AR AS AU AW AZ BA BB BD BF BH BI BJ BM BN BO BS BT BW BY BZ CA CC CD CF CG CI CK CL CM CO CR CU',
  'CV CW CX CY DJ DK DM DO DZ EC EE EH ER ET FI FJ FK FM FO GA GD GE GH GI GL GM GN GQ GT GU GW GY HK HN HR HT ID IE IQ IR IS',
  'JM JO KE KG KH KI KM KN KP KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA ME MG MH MK ML MM MN MO MP MR MS MT MU MV MW MX MY',
  'MZ NC NE NF NG NI NP NR NU NZ OM PA PE PF PG PH PK PM PN PS PT PW PY QA RW SB SC SD SG SH SL SM SN SO SR SS ST SV SX SY SZ',
  'TC TD TF TG TH TJ TK TL TM TN TO TT TV TW TZ UG UM UY UZ VA VC VE VG VI VN VU WF WS XK YE ZA ZM ZW',
].flatMap((line) => line.split(' '))
const NATURES = ['11', '11', '11', '12', '21', '31', '41']
const TRANSPORT = ['3', '3', '1', '4', '5']
const TERMS = ['EXW', 'FOB', 'CIF', 'DAP', 'FCA']

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

/** Draws until the result is a new one. */
function drawNew<T>(known: Set<string>, draw: () => T, keyOf: (drawn: T) => string): T {
  for (;;) {
    const drawn = draw()
    const key = keyOf(drawn)
    if (known.has(key)) continue
    known.add(key)
    return drawn
  }
}

/** Invents `count` goods of the combined nomenclature; a fifth of the descriptions still has the old cedillas. */
function inventGoods(random: Random, count: number) {
  const codes = new Set<string>()
  const drawCode = () => padded(1 + random.below(97), 2) + padded(random.below(1_000_000), 6)
  return Array.from({ length: count }, (_, i) => {
    const code = drawNew(codes, drawCode, (drawn) => drawn)
    const what = `${random.pick(KINDS)} ${random.pick(LINKS)} ${random.pick(STUFFS)} nr. ${i}`
    const other = `altele decât cele de la ${random.chance(0.2) ? 'poziţia' : 'poziția'} ${code.slice(0, 4)}`
    return { code, description: `${what}, ${other}` }
  })
}

function* tradeRows(year: number, random: Random, rows: number): Generator<SampleCell[]> {
  const goods = inventGoods(random, Math.min(9500, Math.max(20, Math.round(rows / 12))))
  // The natural keys of a month's rows.
  const keys = new Set<string>()
  for (let i = 0, month = 0; i < rows; i++) {
    const now = 1 + Math.floor((i * 12) / rows)
    if (now !== month) keys.clear()
    month = now
    const draw = () => ({
      good: random.favour(goods, 3),
      partner: random.favour(COUNTRIES, 4),
      flow: random.chance(0.65) ? 2 : 1,
    })
    const { good, partner, flow } = drawNew(keys, draw, (drawn) =>
      [drawn.flow, drawn.good.code, drawn.partner].join(),
    )
    yield [
      year,
      month,
      flow,
      good.code,
      random.chance(0.65) ? random.favour(COUNTRIES, 4) : null,
      partner,
      random.pick(NATURES),
      random.pick(TRANSPORT),
      random.pick(TERMS),
      random.chance(0.3) ? random.below(1000) : null,
      Math.floor(10 ** (random.float() * 6)),
      Math.floor(10 ** (random.float() * 7)),
      good.description,
    ]
  }
}

/** The trade of one year, as a table of sample data. */
export function tradeTable(year: number, rows: number): SampleTable {
  return {
    domain: 'economy',
    id: `comert_international_cu_bunuri_${year}`,
    columns: TRADE_COLUMNS,
    rows,
    seed: year,
    generate: (random, count) => tradeRows(year, random, count),
  }
}
