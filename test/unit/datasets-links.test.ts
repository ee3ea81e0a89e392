import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AddressTemplate } from '../../src/query/list/links.ts'
import { runs } from '../support/property-runs.ts'

const parameter = fc.record({
  name: fc.oneof(fc.constantFrom('offset', 'cursor', 'limit'), fc.string()),
  value: fc.string(),
})
const target = fc.oneof(fc.nat(), fc.stringMatching(/^[\w-]{1,40}$/))
const orNull = fc.option(fc.nat())

const LONGEST_HEADER = 4096

/** RFC 8288, implemented plainly. */
function headerOf(links: Record<string, string | null>): string | undefined {
  const present = ['next', 'prev', 'first', 'last'].filter((relation) => links[relation])
  const header = present.map((relation) => `<${links[relation]}>; rel="${relation}"`).join(', ')
  return header.length <= LONGEST_HEADER ? header : undefined
}

describe('links put together from pieces', () => {
  test('equal the links given as an object, in JSON and in the header', () => {
    fc.assert(
      fc.property(
        fc.array(parameter, { maxLength: 5 }),
        fc.array(fc.record({ base: fc.webUrl(), path: fc.string() }), { minLength: 1, maxLength: 3 }),
        fc.option(target),
        target,
        fc.option(fc.record({ prev: orNull, last: orNull }), { nil: {} }),
        (parameters, places, next, first, others) => {
          const addresses = new AddressTemplate(parameters, 'offset')
          // More than one place in turn: what is cached for the last one must not show.
          for (const { base, path } of [...places, ...places]) {
            const address = base + path
            const at = (to: string | number | null) => (to === null ? null : addresses.with(address, to))
            const { prev, last } = others as { prev?: number | null; last?: number | null }
            const links: Record<string, string | null> = {
              self: path,
              next: at(next),
              ...(prev !== undefined && { prev: at(prev) }),
              first: addresses.with(address, first),
              ...(last !== undefined && { last: at(last) }),
              documentation: `${base}/docs`,
            }
            const written = addresses.write({ base, path }, { next, first, ...others })
            expect(written.json).toBe(JSON.stringify(links))
            expect(written.header).toBe(headerOf(links))
          }
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  test('have no header where it would be longer than proxies accept', () => {
    const addresses = new AddressTemplate([{ name: 'a', value: 'x'.repeat(2000) }], 'offset')
    const place = { base: 'https://data.example.org', path: '/v1/a/b' }
    expect(addresses.write(place, { next: null, first: 0 }).header).toBeDefined()
    expect(addresses.write(place, { next: 50, first: 0, prev: 0 }).header).toBeUndefined()
  })
})
