/** Numbers of a spreadsheet as it shows them. */

import { expect, test } from 'bun:test'
import { formatSerial, kindOfFormat } from '../../src/read/source/spreadsheet/number-text.ts'

test.each([
  ['00000', '123', '00123'],
  ['000', '4', '004'],
  ['00000', '1234567', '1234567'],
  ['00000', '12.5', '12.5'],
  ['00000', '-7', '-7'],
  ['0', '7', '7'],
  ['0.00', '7', '7'],
  ['#,##0', '1234', '1234'],
])('a number in the format %s: %s reads %s', (format, raw, text) => {
  expect(formatSerial(raw, kindOfFormat(format), false)).toBe(text)
})
