import { describe, expect, test } from 'bun:test'
import { ERROR_CODES } from '../../src/base/error-codes.ts'
import { ApiError } from '../../src/base/errors.ts'
import type { Language } from '../../src/base/text/language.ts'
import { writeQueryString } from '../../src/base/text/query-string.ts'
import { sayProblem } from '../../src/pages/explorer/say-problem.ts'
import { sayRefusal, type ToldError } from '../../src/pages/parts/say-refusal.ts'
import { readQuestionText, writeQuestion } from '../../src/pages/question/question.ts'
import { Refusal } from '../../src/pages/signed-in/api.ts'
import { explain } from '../../src/pages/signed-in/refusals.ts'
import { parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'
import { TOWNS_TABLE } from '../support/towns.ts'

const ENGLISH = 'The words of the API.'

describe('refusals on pages', () => {
  test.each(ERROR_CODES)('%s has a Romanian sentence on every page that shows it', (code) => {
    const error: ToldError = {
      ...{ code, message: ENGLISH, wait: 20 },
      detail: [{ location: 'query.an[gte]', message: ENGLISH, suggestions: ['anul'] }],
    }
    const columns = [{ name: 'an', type: 'integer' }] as const
    const texts = [
      sayRefusal('ro', error).text,
      sayRefusal('ro', { code, message: ENGLISH }).text,
      sayProblem('ro', error, readQuestionText('an[gte]=x'), columns).text,
      explain('ro', new Refusal(code, ENGLISH)).message!,
    ]
    for (const text of texts) {
      expect(text).toMatch(/^\p{L}|^„/u)
      expect(text.length).toBeGreaterThan(15)
      expect(text).not.toContain(ENGLISH)
      expect(text).not.toMatch(/undefined|null|NaN|\b(the|is|not|of|to|again)\b/i)
    }
    expect(sayRefusal('en', error).original).toBeNull()
  })

  test('a code unknown to this page is explained in the words of the service', () => {
    const error = { code: 'of_the_future', message: ENGLISH } as unknown as ToldError
    expect(sayRefusal('ro', error).text).toBe(ENGLISH)
  })

  const columns = TOWNS_TABLE.columns

  /** What the explorer says about a question. */
  function problemOf(query: string, language: Language = 'ro') {
    const question = readQuestionText(query)
    try {
      parseListQuery(
        writeQueryString(writeQuestion(question, ['filters', 'sort', 'fields'])),
        querySchema(columns),
      )
    } catch (error) {
      if (error instanceof ApiError) return sayProblem(language, error, question, columns)
      throw error
    }
    throw new Error(`${query} is no problem`)
  }

  test.each([
    ['year=abc', '„abc” nu se potrivește: coloana year cere un număr întreg de cel mult 15 cifre, ca 2024.'],
    [
      'area[gt]=1,5',
      '„1,5” nu se potrivește: coloana area cere un număr cu punct zecimal, ca 12.5. Ați vrut să scrieți „1.5”?',
    ],
    [
      'area=1,234',
      '„1,234” nu se potrivește: coloana area cere un număr cu punct zecimal, ca 12.5. Virgula poate despărți miile sau zecimalele. Ați vrut să scrieți „1234” sau „1.234”?',
    ],
    [
      'year[in]=1,x',
      '„1,x” nu se potrivește: coloana year cere valori cu virgule între ele, fiecare un număr întreg de cel mult 15 cifre, ca 2024.',
    ],
    ['seat=da', '„da” nu se potrivește: coloana seat cere true sau false. Ați vrut să scrieți „true”?'],
    [
      'year[is_null]=poate',
      '„poate” nu se potrivește: coloana year cere true sau false. Ați vrut să scrieți „true” sau „false”?',
    ],
    [
      'counted_on=31.12.2021',
      '„31.12.2021” nu se potrivește: coloana counted_on cere o zi din calendar, ca 2024-01-31. Ați vrut să scrieți „2021-12-31”?',
    ],
    [
      'year=a&year=b',
      'Valoarea nu se potrivește: coloana year cere un număr întreg de cel mult 15 cifre, ca 2024.',
    ],
    ['countty=Cluj', 'Nu există coloana „countty”. Ați vrut să scrieți „county” sau „count”?'],
    ['sort=-peple', '„sort” cere coloana „peple”, care nu există. Ați vrut să scrieți „people”?'],
    ['fields=town,peple', '„fields” cere coloana „peple”, care nu există. Ați vrut să scrieți „people”?'],
    ['sort=peple,conty', '„sort” cere o coloană care nu există. Ați vrut să scrieți „people”?'],
    ['limt=5', 'Nu există coloana „limt”.'],
    ['page=2', 'Nu există coloana „page”. Ați vrut să scrieți „offset”?'],
    [
      'year[contains]=2',
      'Condiția „conține” nu se aplică coloanei year. Încercați: este, nu este, mai mare decât, cel puțin, mai mic decât, cel mult, una dintre, niciuna dintre, lipsește.',
    ],
    [
      'fields=year,year',
      'În „fields”, fiecare coloană apare o singură dată; coloanele se despart prin virgulă.',
    ],
  ])('%s is refused by the explorer in Romanian, with what the column accepts', (query, text) => {
    expect(problemOf(query)).toMatchObject({ text, original: null })
  })

  test.each([
    ['limt=5', 'There is no column “limt”.'],
    ['page=2', 'There is no column “page”. Did you mean “offset”?'],
    ['countty[gte]=Cluj', 'There is no column “countty”. Did you mean “county” or “count”?'],
    ['sort=-peple', '“sort” names the column “peple”, which does not exist. Did you mean “people”?'],
    ['sort=peple,conty', '“sort” names a column that does not exist. Did you mean “people”?'],
    [
      'year[contains]=2',
      'The condition “contains” does not apply to the column year. Try: is, is not, greater than, at least, less than, at most, one of, none of, is missing.',
    ],
  ])('%s is refused in English for readers, without parameters that the page ignores', (query, text) => {
    expect(problemOf(query, 'en')).toMatchObject({ text, original: null })
  })

  test('where a code has several reasons the words of the service stay available', () => {
    const busy = sayRefusal('ro', { code: 'service_unavailable', message: ENGLISH, wait: 2 })
    expect(busy).toEqual({
      text: 'Serviciul nu poate răspunde acum. Încercați din nou peste 2 secunde.',
      original: ENGLISH,
    })
  })
})
