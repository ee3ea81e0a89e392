import { expect, test } from 'bun:test'
import { SETTINGS } from '../../src/base/config/config.ts'
import { loadConfig } from '../../src/base/config/load.ts'
import { exampleSettings } from '../../src/commands/config.ts'
import { findMount } from '../../src/commands/doctor/machine.ts'
import { judgeForwarding } from '../../src/commands/doctor/network.ts'

const MOUNTS = String.raw`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:20 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw
24 22 0:30 /export /srv/open\040data rw,relatime shared:7 master:2 - nfs4 nas:/export rw,vers=4.2
25 22 0:31 / /srv/twice rw - ext4 /dev/sdb1 rw
26 25 0:32 / /srv/twice ro - overlay overlay rw
`

test('a path is on the innermost mount that contains it, and of two mounts at one path on the upper', () => {
  expect(findMount(MOUNTS, '/var/lib')?.kind).toBe('ext4')
  expect(findMount(MOUNTS, '/tmp/x')).toEqual({
    path: '/tmp',
    kind: 'tmpfs',
    options: ['rw', 'nosuid', 'noexec'],
  })
  expect(findMount(MOUNTS, '/tmpfile')?.path).toBe('/')
  expect(findMount(MOUNTS, '/srv/open data/izvor')?.kind).toBe('nfs4')
  expect(findMount(MOUNTS, '/srv/twice')?.kind).toBe('overlay')
  expect(findMount('', '/')).toBeUndefined()
})

test.each([
  ['192.0.2.123', '10.0.0.5', null, 'ok'],
  ['192.0.2.123', '10.0.0.5', '10.0.0.0/8', 'problem'],
  ['192.0.2.123, 198.51.100.1', '10.0.0.5', '10.0.0.0/8', 'ok'],
  ['198.51.100.1', '10.0.0.5', null, 'warning'],
  ['198.51.100.1', 'unknown', '10.0.0.0/8', 'warning'],
  [null, '10.0.0.5', '10.0.0.0/8', 'warning'],
  [null, '10.0.0.5', null, 'ok'],
])('X-Forwarded-For %s from %s with %s trusted is judged: %s %s', (forwarded, peer, trusted, state) => {
  const judged = judgeForwarding({ peer, forwarded, client: peer, host: 'x', folder: '1:2' }, trusted)
  expect(judged.state as string).toBe(state)
})

test('the example settings file changes nothing, names every setting, and shows values that read back', () => {
  const text = exampleSettings()
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  const settings = text.split('\n').filter((line) => /^#[a-z]/.test(line))
  expect(settings.map((line) => /^#(\w+) = /.exec(line)?.[1])).toEqual(Object.keys(SETTINGS))
  const given = settings.map((line) => line.slice(1)).filter((line) => !line.endsWith('= ""'))
  const loaded = loadConfig({ tomlText: given.join('\n') })
  expect(loaded.values).toEqual(loadConfig({}).values)
  expect(Object.values(loaded.origins).filter((origin) => origin === 'izvor.toml')).toHaveLength(given.length)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})
