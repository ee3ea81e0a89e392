import { expect, test } from 'bun:test'
import { TurnCache } from '../../src/server/turn-cache.ts'

test('within a turn a key is looked up once, in the next one again', async () => {
  const cache = new TurnCache<{ n: number }>()
  let looked = 0
  const find = () => ({ n: ++looked })
  for (let turn = 1; turn <= 3; turn++) {
    expect(cache.get('a', find)).toEqual({ n: turn })
    await Promise.resolve()
    expect(cache.get('a', find)).toEqual({ n: turn })
    await new Promise((resolve) => setImmediate(resolve))
  }
})

test('what is not found, and what fails, is looked up again at once', () => {
  const cache = new TurnCache<object>()
  expect(cache.get('a', () => undefined)).toBeUndefined()
  expect(() =>
    cache.get('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  const found = {}
  expect(cache.get('a', () => found)).toBe(found)
})

test('one request after another is one turn after another', async () => {
  const cache = new TurnCache<object>()
  let looked = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      cache.get('a', () => ({ n: ++looked }))
      return new Response('')
    },
  })
  try {
    for (let request = 1; request <= 200; request++) {
      await (await fetch(server.url)).text()
      expect(looked).toBe(request)
    }
  } finally {
    await server.stop(true)
  }
})
