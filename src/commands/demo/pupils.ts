/** Pupils of the school year 2015-2016: one row per school, level and form of study, in forty columns. */

import { COUNTIES, inventLocality } from './places.ts'
import type { Random, SampleCell, SampleTable } from './sample-table.ts'

const LEVELS = ['Primar', 'Gimnazial', 'Preșcolar', 'Liceal', 'Profesional', 'Postliceal']
const CLASSES =
  'Clasa I, Clasa a II-a, Clasa a III-a, Clasa a IV-a, Clasa a V-a, Clasa a IX-a, Grupa mare'.split(', ')
const LANGUAGES = ['Limba română', 'Limba maghiară', 'Limba germană', 'Limba ucraineană', 'Limba slovacă']
const FOREIGN = ['Engleză', 'Franceză', 'Germană', 'Spaniolă', 'Italiană']
const TRACKS = ['Teoretică', 'Tehnologică', 'Vocațională']
const PROFILES = ['Real', 'Umanist', 'Servicii', 'Tehnic', 'Resurse naturale', 'Artistic', 'Sportiv']
const TRADES =
  'Matematică-informatică, Filologie, Științe ale naturii, Tehnician mecanic, Economie, Turism'.split(', ')
const SPORTS = ['Fotbal', 'Handbal', 'Gimnastică', 'Atletism', 'Înot']

type School = ReturnType<typeof inventSchools>[number]

function inventSchools(random: Random, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const county = COUNTIES[Math.floor((i * COUNTIES.length) / count)]?.name ?? ''
    const urban = random.chance(0.4)
    const locality = (urban ? county : inventLocality(random)).toUpperCase()
    const number = 1 + random.below(40)
    return {
      county: county.toUpperCase(),
      code: String(61_000_000 + i * 7).padStart(10, '0'),
      name: urban ? `LICEUL TEORETIC NR. ${number} ${locality}` : `ȘCOALA GIMNAZIALĂ "${locality}"`,
      locality,
      commune: urban ? locality : inventLocality(random).toUpperCase(),
      urban,
      private: random.chance(0.04),
    }
  })
}

const yesNo = (yes: boolean): string => (yes ? 'Da' : 'Nu')

function pupilRow(random: Random, school: School): SampleCell[] {
  const level = random.favour(LEVELS, 1.5)
  const upper = level === 'Liceal' || level === 'Profesional'
  const special = random.chance(0.02)
  const sporty = random.chance(0.015)
  const classes = random.chance(0.1) ? 0.5 * (1 + random.below(3)) : 1 + random.below(3)
  return [
    school.county,
    school.code,
    school.name,
    random.chance(0.9) ? school.code : String(random.below(1e9)).padStart(10, '0'),
    school.name,
    school.locality,
    school.urban ? 'Urban' : 'Rural',
    school.commune,
    school.private ? 'Taxă' : 'Buget',
    level,
    level === 'Postliceal' ? yesNo(random.chance(0.3)) : null,
    level === 'Profesional' ? yesNo(random.chance(0.8)) : null,
    school.private ? 'Privată' : 'Publică de interes național și local',
    special ? 'Special' : 'Masă',
    random.chance(0.94) ? 'Zi' : 'Seral',
    random.pick(CLASSES),
    random.chance(0.9) ? 'Normal' : 'Simultan',
    random.favour(LANGUAGES, 4),
    special ? 'Deficiențe mintale' : null,
    special ? random.pick(['Ușoară', 'Moderată', 'Severă']) : null,
    special ? yesNo(random.chance(0.5)) : null,
    random.chance(0.05) ? 'Alternativ' : 'Tradițional',
    upper ? '2015' : null,
    random.chance(0.06) ? random.favour(LANGUAGES, 1) : null,
    upper && random.chance(0.2) ? random.pick(FOREIGN) : null,
    upper && random.chance(0.1) ? random.pick(FOREIGN) : null,
    sporty ? random.pick(SPORTS) : null,
    upper ? random.pick(TRACKS) : null,
    upper ? random.pick(PROFILES) : null,
    upper ? random.pick(TRADES) : null,
    level === 'Profesional' ? random.pick(PROFILES) : null,
    level === 'Profesional' ? random.pick(TRADES) : null,
    random.chance(0.01) ? 'Da' : null,
    sporty ? random.pick(['Începători', 'Avansați', 'Performanță']) : null,
    school.urban ? 'Unitate cu personalitate juridică' : 'Structură',
    level === 'Preșcolar' ? yesNo(random.chance(0.3)) : null,
    school.urban ? null : yesNo(random.chance(0.4)),
    special ? yesNo(random.chance(0.5)) : null,
    classes,
    Math.round(classes * (12 + random.below(18))),
  ]
}

export const PUPILS: SampleTable = {
  domain: 'education',
  id: 'elevi_2015_2016',
  columns: [
    'county cod_unitate_pj denumire_unitate_pj cod_unitate_plan denumire_unitate_plan locality mediu',
    'localitate_superioara tip_finantare nivel scoala_de_maistri stagii_de_practica',
    'forma_de_proprietate tip_invatamant forma_de_invatamant tipul_formatiunii_de_studiu tip_predare',
    'limba_predare deficiente grad_deficiente grupa_speciala mod_predare an_de_inceput materna intensiv',
    'bilingv disciplina_sportiva filiera profil specializare_calificare domeniu domeniu_de_baza',
    'a_doua_sansa nivel_de_performanta tip_unitate grupa_mixta simultan integrat',
    'numarul_claselor_existente numarul_elevilor_existenti',
  ].flatMap((line) => line.split(' ')),
  rows: 20_000,
  seed: 2015,
  *generate(random, rows) {
    const schools = inventSchools(random, Math.max(1, Math.round(rows / 10)))
    for (let i = 0; i < rows; i++)
      yield pupilRow(random, schools[Math.floor((i * schools.length) / rows)] as School)
  },
}
