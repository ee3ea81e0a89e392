import { describe, expect, test } from 'bun:test'
import { loadConfig } from '../../src/base/config/load.ts'
import { changeSettings } from '../../src/base/config/settings-file.ts'
import { exampleSettings } from '../../src/commands/config.ts'

describe('a change of izvor.toml', () => {
  test.each([
    ['a new line at the end', '# mine\nhost = "::1"\n', '# mine\nhost = "::1"\npublisher = "A"\n'],
    ['a value', 'publisher = "B"\nport = 1\n', 'publisher = "A"\nport = 1\n'],
    ['a value with a remark', "  publisher='x # y'   # why\n", '  publisher="A"   # why\n'],
    ['the end of a last line', 'port = 1', 'port = 1\npublisher = "A"\n'],
    ['lines of Windows', 'port = 1\r\npublisher = "B"\r\n', 'port = 1\r\npublisher = "A"\r\n'],
    ['an empty file', '', 'publisher = "A"\n'],
  ])('keeps the rest: %s', (_, before, after) => {
    expect(changeSettings(before, { publisher: 'A' })).toBe(after)
  })

  test('a removed setting takes its line with it, and removing a missing one changes nothing', () => {
    expect(changeSettings('# a\npublisher = "B" # c\nport = 1\n', { publisher: null, contact: null })).toBe(
      '# a\nport = 1\n',
    )
  })

  test('values follow their lines of the example, as what they are', () => {
    const text = changeSettings(exampleSettings(), {
      port: '8080',
      publisher: 'Școala "7"',
      public_browsing: 'false',
    })
    expect(text).toContain('#port = 3000\nport = 8080\n')
    expect(text).toContain('#publisher = ""\npublisher = "Școala \\"7\\""\n')
    const { values } = loadConfig({ tomlText: text })
    expect([values.port, values.publisher, values.public_browsing]).toEqual([8080, 'Școala "7"', false])
  })

  test('what only a person can change is left as it is', () => {
    const text = 'publisher = """\nA\nB"""\n'
    expect(() => changeSettings(text, { publisher: 'C' })).toThrow('set publisher in an editor')
    expect(changeSettings(text, { port: '1' })).toBe(`${text}port = 1\n`)
  })
})
