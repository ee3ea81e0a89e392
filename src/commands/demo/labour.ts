/** Two tables of the labour market: what public functions are paid, and who looks for work abroad. */

import { COUNTIES } from './places.ts'
import type { Random } from './random.ts'
import type { SampleCell, SampleTable } from './sample-table.ts'

const STAFF = ['Funcție de conducere', 'Funcție de execuție', 'Personal contractual', 'Demnitar']
const POSTS = 'Director, Șef serviciu, Șef birou, Consilier, Expert, Inspector, Referent, Auditor'.split(', ')
const GRADES = ['grad superior', 'grad principal', 'grad asistent', 'grad debutant', 'gradul I', 'gradul II']
const REMARKS = ['include spor de doctorat', 'post vacant', 'detașat', 'cumul de funcții']

function* salaryRows(random: Random, rows: number): Generator<SampleCell[]> {
  for (let i = 0; i < rows; i++) {
    const grade = random.below(6)
    const base = 4100 + random.below(80) * 50
    yield [
      random.chance(0.2) ? 'DA' : 'NU',
      random.favour(STAFF, 0.6),
      `${random.pick(POSTS)}, ${random.pick(GRADES)}`,
      grade,
      Math.round(base * (1 + grade * 0.075)),
      random.chance(0.15) ? random.pick(REMARKS) : null,
    ]
  }
}

function* jobseekerRows(periods: readonly string[], random: Random): Generator<SampleCell[]> {
  for (const { name } of COUNTIES) {
    const usual = 5 + random.below(120)
    for (const period of periods) yield [name, period, Math.round(usual * (0.7 + random.float() * 0.6))]
  }
}

const MONTHS = ['ianuarie', 'februarie', 'martie', 'aprilie', 'mai', 'iunie', 'iulie', 'august']
const LATER_MONTHS = ['septembrie', 'octombrie', 'noiembrie', 'decembrie']

function jobseekerTable(id: string, seed: number, periods: readonly string[]): SampleTable {
  return {
    domain: 'economy',
    id,
    columns: ['county', 'period', 'person_count'],
    rows: COUNTIES.length * periods.length,
    seed,
    generate: (random) => jobseekerRows(periods, random),
  }
}

/** The basic salary nomenclature. */
export const SALARIES: SampleTable = {
  domain: 'economy',
  id: '2025_salarii_aug_xlsx',
  columns:
    'gestionare_fonduri_europene categorie_personal functii gradatia salariul_de_baza_lunar observatii'.split(
      ' ',
    ),
  rows: 1200,
  seed: 2025,
  generate: salaryRows,
}

/** Job seekers abroad by county, through a year by month and through half a year by quarter. */
export const JOBSEEKERS: readonly SampleTable[] = [
  jobseekerTable('eures_pclm_judete_2019', 2019, [...MONTHS, ...LATER_MONTHS]),
  jobseekerTable('eures_pclm_judete_sem1_2023', 20231, ['Trimestrul I', 'Trimestrul II']),
]
