/** A handwritten definition that is not JSON is refused with the line where it stops being JSON, and why. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findJsonFault, parseDefinition } from '../../src/read/definition/definition.ts'
import { runs } from '../support/property-runs.ts'

test.each([
  ['{\n "id": "a"\n "domain": "b"\n}', "line 3: a comma or } was expected, and here is '\"'"],
  ['{\n "id": "a",\n}', "line 3: a text in double quotes was expected, and here is '}'"],
  ['{\n "columns": [{"name":"x",}]\n}', "line 2: a text in double quotes was expected, and here is '}'"],
  ['{"columns": [1,\n2,\n]}', "line 3: a value was expected, and here is ']'"],
  ['{\n „id”: "a"}', "line 2: a text in double quotes was expected, and here is '„'"],
  ['{"id": b}', "line 1: a value was expected, and here is 'b'"],
  ['{id: 1}', "line 1: a text in double quotes was expected, and here is 'id'"],
  ['{"id" "a"}', "line 1: a colon was expected, and here is '\"'"],
  ['{"id": "a",\n"columns": [', 'line 2: a value was expected, and the text ends'],
  ['{"source": "C:\\Users"}', "line 1: \\U means nothing, and here is 'C'"],
  ['{"a": 1} x', "line 1: something follows the object, and here is 'x'"],
  ['', 'line 1: an object was expected, and the text ends'],
])('%j', (text, fault) => {
  expect(findJsonFault(text)).toBe(fault)
  expect(() => parseDefinition(text, 'my.json')).toThrow(`my.json is not JSON: ${fault}`)
})

test('a fault is found exactly where the engine finds one', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const json = fc.json({ maxDepth: 3 }).map((value) => `{"a":${value}}`)
  const mangled = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '{', ':', 'x', '1', '\\', ' ', '\n'))
    .map(([text, place, sign]) => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + sign + text.slice(sign === '' ? at + 1 : at)
    })
  fc.assert(
    fc.property(fc.oneof(json, mangled), (text) => {
      expect(findJsonFault(text) === null).toBe(isJson(text))
    }),
    { numRuns: runs(2000) },
  )
})
