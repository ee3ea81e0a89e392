/** The files for operators name what the program really has. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../src/config.ts'
import { openMetrics } from '../../src/http/metrics.ts'
import { RouteMap } from '../../src/http/routing.ts'
import { createServer } from '../../src/http/server.ts'
import { startTestApp } from '../support/app.ts'

const FOLDER = join(import.meta.dir, '..', '..', 'data', 'ops')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

test('the dashboard and the alerts ask for metrics that there are', async () => {
  const instance = startTestApp()
  try {
    const text = await openMetrics(instance.app, new RouteMap(createServer(instance.app))).metrics()
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1] as string))
    expect(known.size).toBeGreaterThan(20)
    for (const file of ['grafana-dashboard.json', 'alerts.yml']) {
      const asked = read(file).match(/\b(?:izvor|nodejs|process)_[a-z0-9_]+\b/g) ?? []
      const unknown = asked.filter(
        (name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !known.has(name),
      )
      expect([file, unknown]).toEqual([file, []])
      expect(asked.length).toBeGreaterThan(10)
    }
  } finally {
    await instance.stop()
  }
})

test('settings named in the files exist', () => {
  for (const file of ['izvor.service', 'Dockerfile', 'nginx.conf', 'Caddyfile']) {
    const variables = [...read(file).matchAll(/\bIZVOR_([A-Z_]+)=/g)].map((match) =>
      (match[1] as string).toLowerCase(),
    )
    const lines = [...read(file).matchAll(/^# {3}([a-z_]+) = /gm)].map((match) => match[1] as string)
    const flags = [...read(file).matchAll(/ (--[a-z]+-port)\b/g)].map((match) => match[1] as string)
    const names = [...variables, ...lines]
    expect([file, names.filter((name) => !Object.hasOwn(SETTINGS, name))]).toEqual([file, []])
    const known = Object.values(SETTINGS).map(({ flag }) => flag as string | null)
    expect([file, flags.filter((flag) => !known.includes(flag))]).toEqual([file, []])
  }
})
