import { expect, test } from 'bun:test'
import { measureFunctions } from '../support/function-lengths.ts'
import { listSources, readSource } from '../support/source-graph.ts'

/** In lines. */
const LONGEST = 60
/** Longer functions need a reason that a reader accepts; they are counted, not refused. */
const LONG = 40

const functions = listSources().flatMap((file) =>
  measureFunctions(file, readSource(file)).map((one) => ({ ...one, title: `${file}: ${one.name}` })),
)

test('no function of the sources has more than 60 lines', () => {
  expect(functions.length).toBeGreaterThan(1000)
  const long = functions.filter(({ lines }) => lines > LONG)
  console.log(`functions of more than ${LONG} lines: ${long.length}`)
  const found = long.filter(({ lines }) => lines > LONGEST)
  expect(found.map(({ title, line, lines }) => `${title}, line ${line}: ${lines} lines`)).toEqual([])
})

test('every kind of function is measured, from its first line to its last', () => {
  const text = `
export function plain(): number {
  return 1
}
const arrow = (a: number) =>
  a +
  1
const object = {
  async method() {
    await list.map(function (one) {
      return one
    })
  },
  property: () => {
  },
}
class Counter {
  readonly #one = () => 1
  get two() {
    return <div>
      {list.map((one) => one)}
    </div>
  }
}
`
  expect(measureFunctions('planted.tsx', text)).toEqual([
    { name: 'plain', line: 2, lines: 3 },
    { name: 'arrow', line: 5, lines: 3 },
    { name: 'method', line: 9, lines: 5 },
    { name: 'map', line: 10, lines: 3 },
    { name: 'property', line: 14, lines: 2 },
    { name: 'one', line: 18, lines: 1 },
    { name: 'two', line: 19, lines: 5 },
    { name: 'map', line: 21, lines: 1 },
  ])
})
