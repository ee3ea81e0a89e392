/** Small datasets for looking at pages: every column type, diacritics, missing values, and cells that attack the page. */

export interface SampleFile {
  readonly id: string
  readonly domain: string
  /** CSV. Ingesting a second file with the same id makes a second version. */
  readonly text: string
  /** A definition file without `id` and `domain`. */
  readonly definition: object
}

const COUNTIES = ['Alba', 'Bacău', 'Botoșani', 'Cluj', 'Iași', 'Mureș', 'Timiș', 'Vâlcea'] as const
const LEVELS = ['Preșcolar', 'Primar', 'Gimnazial', 'Liceal'] as const

const HEADER = 'Județ;Unitate;Nivel;Elevi;Medie;Urban;Înființată;Actualizat'

/** 320 schools, made by arithmetic: the same in every run. */
function schools(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const county = COUNTIES[index % COUNTIES.length]
    const level = LEVELS[(index * 7) % LEVELS.length]
    const pupils = index % 23 === 5 ? '' : String(40 + ((index * 37) % 900))
    const mean = `${6 + (index % 4)},${10 + ((index * 13) % 90)}`
    const year = 1890 + ((index * 11) % 130)
    const day = `${year}-${String((index % 12) + 1).padStart(2, '0')}-${String((index % 28) + 1).padStart(2, '0')}`
    const moment = `2025-0${(index % 9) + 1}-15T08:${String(index % 60).padStart(2, '0')}:00Z`
    return `${county};Școala nr. ${index + 1} ${county};${level};${pupils};${mean};${index % 3 === 0 ? 'da' : 'nu'};${day};${moment}`
  })
  return [HEADER, ...lines].join('\n')
}

const SCHOOLS_DEFINITION = {
  title: 'Școli și elevi pe județe',
  description: 'Unitățile de învățământ preuniversitar, cu numărul de elevi înscriși și media generală.',
  publisher: 'Ministerul Educației',
  license: 'CC-BY-4.0',
  keywords: ['educație', 'școli', 'elevi'],
  source_url: 'https://data.example.org/scoli.csv',
  columns: [
    { name: 'judet', source: 'Județ', required: true, description: 'Județul unității' },
    { name: 'unitate', source: 'Unitate', description: 'Denumirea unității' },
    { name: 'elevi', source: 'Elevi', type: 'integer', description: 'Elevi înscriși' },
  ],
  primary_key: ['unitate'],
}

const HOSTILE = `nume,valoare
"<script>alert(1)</script>",1
"<img src=x onerror=alert(2)>",2
"</script><script>alert(3)</script>",3
"""; DROP TABLE x; --",4
`

const DAYS = `zi,consum\n${Array.from({ length: 400 }, (_, index) => {
  const day = new Date(Date.UTC(2023, 0, 1 + index)).toISOString().slice(0, 10)
  return `${day},${100 + ((index * 29) % 60)}.5`
}).join('\n')}\n`

export const SAMPLES: readonly SampleFile[] = [
  { id: 'scoli', domain: 'education', text: schools(300), definition: SCHOOLS_DEFINITION },
  { id: 'scoli', domain: 'education', text: schools(320), definition: SCHOOLS_DEFINITION },
  {
    id: 'consum_zilnic',
    domain: 'energy',
    text: DAYS,
    definition: { title: 'Consumul zilnic de energie', description: 'Consum pe zile, în MWh.' },
  },
  {
    id: 'rau_voitor',
    domain: 'tests',
    text: HOSTILE,
    definition: {
      title: '<script>alert("titlu")</script> Date rău-voitoare',
      description: '</p><img src=x onerror="alert(4)"> & "ghilimele"',
      publisher: '<b>nimeni</b>',
      keywords: ['<i>', '"'],
    },
  },
]
