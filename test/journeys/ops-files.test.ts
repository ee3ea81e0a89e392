/**
 * Files of data/ops for other programs, checked by those programs: promtool of Prometheus runs every alert, and systemd
 * checks the unit. Tests whose program is not installed are skipped with a message.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALERT_CASES, type AlertCase, HEALTHY } from '../support/alert-cases.ts'
import { findProgram } from '../support/find-program.ts'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const OPS = join(import.meta.dir, '../../data/ops')
const ALERTS = join(OPS, 'alerts.yml')
const UNIT = join(OPS, 'izvor.service')
const PROMTOOL = findProgram('promtool')
const SYSTEMD_ANALYZE = findSystemd()

/** systemd can check units without running since version 250. */
function findSystemd(): string | null {
  const program = findProgram('systemd-analyze')
  if (program === null) return null
  const version = /\d+/.exec(String(Bun.spawnSync([program, '--version']).stdout))?.[0]
  if (Number(version) >= 250) return program
  console.warn(`skipped: systemd ${version} is older than 250`)
  return null
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

function readRules(): Rule[] {
  const { groups } = Bun.YAML.parse(readFileSync(ALERTS, 'utf8')) as { groups: { rules: Rule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** The queries of the dashboard. */
function readPanels(): string[] {
  const exprs: string[] = []
  JSON.parse(readFileSync(join(OPS, 'grafana-dashboard.json'), 'utf8'), (name, value) => {
    if (name === 'expr') exprs.push(value)
    return value
  })
  return exprs.map((expr) => expr.replaceAll('$__rate_interval', '5m'))
}

/** Runs a program to its end. @returns its output if it fails, otherwise an empty text */
function complaint(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command])
  return exitCode === 0 ? '' : `${exitCode}: ${stdout}${stderr}`
}

/** Prometheus reads JSON as YAML. */
function writeJson(name: string, content: unknown): string {
  const path = join(tempDir(), name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

/** A test for promtool: all series for three days, and the alerts expected from each rule at some moments. */
function ruleTest(
  name: string,
  changed: AlertCase['wrong'],
  expected: readonly { at: string; firing: AlertCase | null }[],
) {
  const rules = readRules()
  const series = Object.entries({ ...HEALTHY, ...changed })
  return {
    ...{ name, interval: '1m' },
    input_series: series.map(([series, values]) => ({ series, values })),
    alert_rule_test: expected.flatMap(({ at, firing }) =>
      rules.map(({ alert, labels, annotations }) => ({
        ...{ eval_time: at, alertname: alert },
        exp_alerts:
          firing?.alert === alert
            ? [{ exp_labels: { ...labels, ...firing.labels }, exp_annotations: annotations }]
            : [],
      })),
    ),
  }
}

/**
 * The errors that promtool reports.
 * @param interval between evaluations; three days at one minute take a second and a half
 */
function runRuleTests(tests: readonly ReturnType<typeof ruleTest>[], interval = '1m'): string {
  const file = writeJson('tests.json', { rule_files: [ALERTS], evaluation_interval: interval, tests })
  return complaint([PROMTOOL as string, 'test', 'rules', file])
}

test.skipIf(PROMTOOL === null)('Prometheus can read the alerts and the queries of the dashboard', () => {
  const panels = readPanels().map((expr, i) => ({ record: `panel:${i}`, expr }))
  expect(panels.length).toBeGreaterThan(20)
  const dashboard = writeJson('dashboard.json', { groups: [{ name: 'dashboard', rules: panels }] })
  expect(complaint([PROMTOOL as string, 'check', 'rules', ALERTS, dashboard])).toBe('')
})

test.skipIf(PROMTOOL === null)('a healthy service raises no alert', () => {
  const moments = ['1m', '62m', '1000m', '1439m', '2880m']
  expect(
    runRuleTests([
      ruleTest(
        'healthy',
        {},
        moments.map((at) => ({ at, firing: null })),
      ),
    ]),
  ).toBe('')
})

test.skipIf(PROMTOOL === null)(
  'every alert fires alone once its condition has lasted long enough, and not before',
  () => {
    expect(ALERT_CASES.map(({ alert }) => alert)).toEqual(readRules().map(({ alert }) => alert))
    const testsOf = (row: AlertCase) => [
      ruleTest(`${row.alert}: wrong`, row.wrong, [
        { at: row.quiet, firing: null },
        { at: row.fires, firing: row },
      ]),
      ruleTest(`${row.alert}: bearable`, row.bearable, [{ at: row.fires, firing: null }]),
    ]
    const takesDays = ({ fires }: AlertCase) => Number.parseInt(fires, 10) > 1000
    expect(runRuleTests(ALERT_CASES.filter((row) => !takesDays(row)).flatMap(testsOf))).toBe('')
    expect(runRuleTests(ALERT_CASES.filter(takesDays).flatMap(testsOf), '10m')).toBe('')
  },
)

test.skipIf(PROMTOOL === null)('an alert that does not fire fails its test', () => {
  const [row] = ALERT_CASES as [AlertCase]
  expect(runRuleTests([ruleTest('quiet', {}, [{ at: row.fires, firing: row }])])).toContain('FAILED')
})

test('every alert names a command that explains it', () => {
  for (const { alert, annotations } of readRules())
    expect([alert, annotations.description]).toEqual([
      alert,
      expect.stringMatching(/\b(?:izvor (?:doctor|datasets|backup)|journalctl|systemctl)\b/),
    ])
})

/** Label values by series name and label. */
type Exported = Map<string, Map<string, Set<string>>>

function readExported(text: string): Exported {
  const exported: Exported = new Map()
  for (const [, name, labels = ''] of text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(name as string) ?? new Map<string, Set<string>>()
    exported.set(name as string, known)
    for (const [, label, value] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      const values = known.get(label as string) ?? new Set()
      known.set(label as string, values.add(value as string))
    }
  }
  return exported
}

/** Names, labels and label values in expressions that no service exports. */
function unanswered(exprs: readonly string[], exported: Exported): string[] {
  return exprs.flatMap((expr) =>
    [...expr.matchAll(/\b((?:izvor|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].flatMap(
      ([selector, name, matchers = '']) => {
        const labels = exported.get(name as string)
        if (labels === undefined) return [selector]
        const wrong = [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].filter(([, label, operator, value]) => {
          // Prometheus adds these two.
          if (label === 'job' || label === 'instance') return false
          const values = labels.get(label as string)
          return values === undefined || (operator === '=' && !values.has(value as string))
        })
        return wrong.length > 0 ? [selector] : []
      },
    ),
  )
}

test('a running service exports every series used by the alerts, their tests and the dashboard', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'test', '--data', data], {
    input: 'name,people\nCluj,300\nDej,30\n',
  })
  const { secret } = await mint(data)
  await succeed(['backup', join(folder, 'backup.tar'), '--data', data])
  const service = await serve(data, ['serve', '--admin-port', '0'])
  await (await service.get('/v1/test/towns', secret)).text()
  await (await service.get('/v1/test/towns/export?format=csv', secret)).text()
  const admin = /"metrics":"([^"]+)"/.exec(service.output())?.[1] as string
  let text = ''
  // Answers are counted a moment after they are sent.
  while (!text.includes('route="/v1/:domain/:dataset/export"')) text = await (await fetch(admin)).text()
  const exported = readExported(text)
  const asked = [...readRules().map(({ expr }) => expr), ...readPanels()]
  expect(asked.length).toBeGreaterThan(30)
  expect(unanswered(asked, exported)).toEqual([])
  const failed = (name: string) => name.replace('status="500"', 'status="200"')
  const tested = [HEALTHY, ...ALERT_CASES.map(({ wrong }) => wrong)].flatMap(Object.keys)
  expect(unanswered(tested.map(failed), exported)).toEqual([])
  expect(unanswered(['izvor_nothing', 'izvor_wal_bytes{database="other"}'], exported)).toHaveLength(2)
})

/** The unit with an existing program as its executable, because systemd checks that it exists. */
function unitOf(text: string): string {
  const path = join(tempDir(), 'izvor.service')
  writeFileSync(path, text.replaceAll('/usr/local/bin/izvor', process.execPath))
  return path
}

/** The errors and warnings of systemd about a unit. */
function verifyUnit(path: string): string {
  const { stdout, stderr } = Bun.spawnSync([
    SYSTEMD_ANALYZE as string,
    'verify',
    '--recursive-errors=no',
    path,
  ])
  return `${stdout}${stderr}`
}

test.skipIf(SYSTEMD_ANALYZE === null)('systemd accepts the unit without warnings', () => {
  const unit = readFileSync(UNIT, 'utf8')
  expect(unit).toContain('ExecStart=/usr/local/bin/izvor serve')
  expect(verifyUnit(unitOf(unit))).toBe('')
  expect(verifyUnit(unitOf(unit.replace('ProtectHome=', 'ProtectHomes=')))).toContain('ProtectHomes')
  expect(verifyUnit(unitOf(unit.replace('ExecStart=', 'ExecStart=/nowhere')))).toContain('/nowhere')
})

/** Out of 10; the unit has 1.4, mostly for the network and for JavaScript compiled at run time. */
const MOST_EXPOSURE = 2

test.skipIf(SYSTEMD_ANALYZE === null)('the unit removes privileges that the service does not need', () => {
  const audit = (path: string) =>
    complaint(
      [SYSTEMD_ANALYZE as string, 'security', '--offline=true', '--no-pager'].concat([
        `--threshold=${MOST_EXPOSURE * 10}`,
        path,
      ]),
    )
  const unit = readFileSync(UNIT, 'utf8')
  expect(audit(unitOf(unit))).toBe('')
  expect(audit(unitOf(unit.replace('CapabilityBoundingSet=', '')))).not.toBe('')
})

test('the program accepts the command line and the settings of the unit', async () => {
  const unit = readFileSync(UNIT, 'utf8')
  const data = join(tempDir(), 'data')
  const [, line] = /^ExecStart=\S+ (.*)$/m.exec(unit) as RegExpExecArray
  const env = Object.fromEntries(
    [...unit.matchAll(/^Environment=(IZVOR_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value as string]),
  )
  const words = (line as string).replace('--admin-port 3001', '--admin-port 0').split(' ')
  const service = await serve(data, words, { env: { ...env, IZVOR_DATA: data } })
  expect((await fetch(`${service.address}/health/ready`)).status).toBe(200)
  expect(await succeed(['healthcheck', '--port', new URL(service.address).port])).toContain('ready')
  const [, reload] = /^ExecReload=\/bin\/kill -(\w+) \$MAINPID$/m.exec(unit) as RegExpExecArray
  service.signal(`SIG${reload}` as NodeJS.Signals)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})
