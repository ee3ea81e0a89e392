import { countEnglish, countRomanian } from './format.ts'
import { textTable } from './texts.ts'

/** Usage and statistics: `/account/usage`. */
export const USAGE_TEXTS = textTable({
  description: [
    'Apelurile contului față de cotă, pe zile și pe chei, și statistica cererilor.',
    'Your calls against your quota, by day and by key, and request statistics.',
  ],
  quota: ['Cota lunii', 'Quota of the month'],
  month: ['luna aceasta', 'this month'],
  today: ['astăzi (UTC)', 'today (UTC)'],
  left: ['rămase din cotă', 'left of the quota'],
  noLimit: ['fără limită', 'no limit'],
  share: [
    (share: string, plan: string) => `${share} din cota planului ${plan}`,
    (share: string, plan: string) => `${share} of the quota of the ${plan} plan`,
  ],
  unlimited: [
    (plan: string) => `Planul ${plan} nu are cotă.`,
    (plan: string) => `The ${plan} plan has no quota.`,
  ],
  elsewhere: [
    'Totalul poate depăși suma cheilor: apelurile cheilor șterse se socotesc în continuare.',
    'The total may exceed the sum of the keys: calls made with deleted keys still count.',
  ],
  daily: ['Apeluri pe zile', 'Calls by day'],
  period: ['Perioada', 'Period'],
  days: [
    (count: number) => `ultimele ${countRomanian(count, 'zi', 'zile')}`,
    (count: number) => `last ${countEnglish(count, 'day', 'days')}`,
  ],
  dayToday: ['astăzi', 'today'],
  key: ['Cheia', 'Key'],
  allKeys: ['toate cheile', 'all keys'],
  chart: [
    (what: string, from: string, to: string, total: string) =>
      `Apeluri pe zile, ${what}, de la ${from} la ${to}: ${total} în total`,
    (what: string, from: string, to: string, total: string) =>
      `Calls by day, ${what}, from ${from} to ${to}: ${total} in all`,
  ],
  totalOf: [
    (count: number) => `${countRomanian(count, 'apel', 'apeluri')} în perioada aleasă; zilele sunt UTC.`,
    (count: number) => `${countEnglish(count, 'call', 'calls')} in this period; days are UTC.`,
  ],
  asTable: ['Aceleași numere ca tabel', 'The same numbers as a table'],
  date: ['Ziua', 'Day'],
  requests: ['Cereri', 'Requests'],
  statistics: ['Statistica cererilor', 'Request statistics'],
  statisticsLead: [
    'Din jurnal: toate răspunsurile, inclusiv cele care nu se socotesc ca apeluri (304, erori), cu timpul măsurat pe server.',
    'From the log: every response, including those that do not count as calls (304, errors), with the time measured on the server.',
  ],
  nothing: ['Nicio cerere în perioada aleasă.', 'No requests in this period.'],
  latency: ['Timp de răspuns', 'Response time'],
  p50: ['50 % sub', '50 % below'],
  p95: ['95 % sub', '95 % below'],
  p99: ['99 % sub', '99 % below'],
  max: ['cel mai lung', 'longest'],
  statuses: ['Pe stare HTTP', 'By HTTP status'],
  status: ['Starea', 'Status'],
  endpoints: ['Pe adrese', 'By address'],
  endpoint: ['Adresa', 'Address'],
  errors: ['Erori', 'Errors'],
  ips: ['Pe adrese IP', 'By IP address'],
  ip: ['Adresa IP', 'IP address'],
})
