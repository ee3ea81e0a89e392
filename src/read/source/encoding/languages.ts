/** What tells languages apart in the letters that encodings put at different bytes. */

export interface Language {
  /** Small letters beyond ASCII. */
  readonly letters: string
  /** Of these, the rare ones: a word of another language has them as often. */
  readonly rare?: string
  /** What no word of the language has: the letter belongs to another one. */
  readonly never?: RegExp
}

const CONSONANT = 'bcčdďfghjklmnňpqrřsšśtťțţvwxzžźż'

const ESTONIAN: Language = { letters: 'õäöüšž', never: /[cqwxy]|õ$/ }

/** In Latin letters. Those with the same letters in every encoding are left out. */
export const LATIN_LANGUAGES: readonly Language[] = [
  // Romanian, in both spellings.
  { letters: 'ăâîșțşţ', never: /ă[oeau]/ },
  { letters: 'áéíóöőúüű', never: /ő[aeiou]|[aeiou][őű]|ű[aeou]/ },
  { letters: 'ąćęłńóśźż', never: /ń[aeiouyąęó]|^[ąęń]|[ąę][aeiouy]|[aou]ę|^ó/ },
  { letters: 'áčďéěíňóřšťúůýž', never: /(?<![bpvfmdtn])ě|^ů|ů[aeiou]|[aeiou]ů/ },
  {
    letters: 'áäčďéíĺľňóôŕšťúýž',
    rare: 'ĺŕ',
    never: new RegExp(`[ĺŕ](?![${CONSONANT}])|(?<![${CONSONANT}])[ĺŕ]`),
  },
  { letters: 'čćđšž' },
  { letters: 'äöüß', never: /^ß/ },
  {
    letters: 'àâçéèêëîïôùûüœæÿ',
    rare: 'æÿü',
    never: new RegExp(`[àù](?!$|['-])|(?<!o)ù|è(?![${CONSONANT}])|ê$|^[ùûÿ]`),
  },
  { letters: 'áéíñóúü', never: /ñ(?![aeiouáéíóúü])/ },
  { letters: 'ãõáâàçéêíóôú', rare: 'àâ', never: new RegExp(`õ(?!e)|ã[${CONSONANT}]|ç[${CONSONANT}]`) },
  { letters: 'àèéìòù', never: /[àèìòù](?!$|['-])/ },
  { letters: 'åäöæøé' },
  ESTONIAN,
]

export const CYRILLIC: Language = {
  letters: 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґјљњћђџў',
  rare: 'фщъэёіїєґјљњћђџў',
  // Abbreviations aside, a word has a vowel.
  never: /^[ьъ]|[аеиоуыэюя][ьъ]|^[^аеиоуыэюяёіїє]{2,}$/,
}
export const GREEK: Language = {
  letters: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ',
  rare: 'ϊϋΐΰψξ',
  never: /ς(?!$|[-'.])|σ$|[άέήίόύώ].*[άέήίόύώ]|^[^αεηιουωάέήίόύώϊϋΐΰ]{2,}$/,
}
/** Letters of other alphabets that are words by themselves. */
export const LONE_LETTERS = 'авикосуяієαηοωήό'
export const TURKISH: Language = { letters: 'çğıiöşüâî', never: /^ğ|ğ$|^ı/ }
export const HEBREW: Language = { letters: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת', never: /[ךםןףץ](?!$|[-'.])/ }
export const BALTIC_LANGUAGES: readonly Language[] = [
  ESTONIAN,
  { letters: 'ąčęėįšųūž', never: /[ąęįų][aeiou]/ },
  { letters: 'āčēģīķļņšūž' },
]
