/** izvor setup [STEP] [--data DIR]: asks what a service needs, tries it, and writes izvor.toml. */

import { resolve } from 'node:path'
import { SETTINGS_FILE } from '../base/config/settings-file.ts'
import { CommandError } from '../base/errors.ts'
import { terminalLanguage } from '../base/text/language.ts'
import { DataDir } from '../store/files/data-dir.ts'
import type { Finding, SetupPlace, SetupTexts, Step } from '../upkeep/setup/step.ts'
import { STEPS } from '../upkeep/setup/steps.ts'
import { describeStep, faultOf, type ShownField, takeStep } from '../upkeep/setup/take-step.ts'
import { SETUP_TEXTS } from '../upkeep/setup/texts/setup-texts.ts'
import type { Cli } from './cli/cli.ts'
import { type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { paint } from './cli/print.ts'
import { readSettings } from './cli/settings.ts'

const NAMES = STEPS.map(({ name }) => name).join(', ')

export const setup = settingsCommand({
  name: 'setup',
  description: 'Ask for what a service needs, try it, and write izvor.toml in the current folder.',
  takes: (command) => command.argument('[step]', `one step alone: ${NAMES}`),
  json: null,
  async does({ cli, config }: SettingsPlace, only: string | undefined, options: object) {
    const steps = STEPS.filter(({ name }) => only === undefined || name === only)
    if (steps.length === 0)
      throw new CommandError('usage', `there is no step "${only}": expected one of ${NAMES}`)
    if (!cli.terminal.input || !cli.terminal.messages) throw new CommandError('usage', withoutTerminal(steps))
    const texts = SETUP_TEXTS[terminalLanguage(cli.env)]
    const place: SetupPlace = {
      read: (changes) => readSettings(cli, options, changes),
      folder: new DataDir(config.data),
      command: cli.command,
      now: cli.now,
    }
    cli.note(`${texts.lead(resolve(SETTINGS_FILE))}\n${texts.keys}`)
    for (const step of steps) await walk(cli, place, step, texts)
  },
})

/** Says what to write instead, for programs. */
function withoutTerminal(steps: readonly Step[]): string {
  const names = steps.flatMap(({ ways }) =>
    ways.flatMap(({ fields }) => fields.map(({ setting }) => setting)),
  )
  return (
    `setup asks questions, and there is no terminal to ask on. Write ${SETTINGS_FILE} instead: ` +
    `"izvor config example" prints a file with every setting${names.length > 0 ? `, including ${names.join(', ')}` : ''}`
  )
}

/** Asks one step; once more if the operator does not want to save its answers. */
async function walk(
  cli: Cli,
  place: SetupPlace,
  step: Step,
  texts: SetupTexts,
  isAgain = false,
): Promise<void> {
  const colour = paint(cli)
  cli.note(`\n${colour('bold', texts[step.name as 'mail'])}\n${texts[`${step.name as 'mail'}About`]}`)
  const { ways, inUse } = describeStep(place, step)
  const way = ways.length > 1 ? await choose(cli, ways, inUse, texts) : 0
  const given: Record<string, string> = {}
  for (const field of ways[way]!.fields) given[field.setting] = await fill(cli, field, texts)
  cli.note(texts.trying)
  const taken = await takeStep(place, step, { way, texts: given }, texts)
  print(cli, taken.findings)
  if (taken.saved) return
  if (!taken.canSave) return cli.note(texts.notSaved)
  if (!(await confirm(cli, texts))) {
    cli.note(texts.notSaved)
    return isAgain ? undefined : walk(cli, place, step, texts, true)
  }
  const again = await takeStep(place, step, { way, texts: given, anyway: true }, texts)
  print(cli, again.findings)
}

/** Asks until the answer is yes or no, or the beginning of either. */
async function confirm(cli: Cli, texts: SetupTexts): Promise<boolean> {
  for (;;) {
    const answer = (await cli.ask(`${texts.anyway} `)).trim().toLowerCase()
    if (answer !== '' && texts.yes.startsWith(answer)) return true
    if (answer !== '' && texts.no.startsWith(answer)) return false
  }
}

function print(cli: Cli, findings: readonly Finding[]): void {
  const colour = paint(cli)
  const marks = { ok: colour('green', '+'), note: colour('cyan', '*'), bad: colour('red', '!') }
  for (const { state, says } of findings) cli.note(`  ${marks[state]} ${says}`)
}

async function choose(
  cli: Cli,
  ways: readonly { readonly name: keyof SetupTexts }[],
  inUse: number,
  texts: SetupTexts,
): Promise<number> {
  for (const [at, { name }] of ways.entries()) cli.note(`  ${at + 1}  ${texts[name]}`)
  for (;;) {
    const answer = (await cli.ask(`${texts.which} [${inUse + 1}]: `)).trim()
    const chosen = answer === '' ? inUse : Number(answer) - 1
    if (chosen in ways) return chosen
    cli.note(`  ! ${texts.misfit(answer, `1–${ways.length}`)}`)
  }
}

/** Asks until the answer fits. Enter keeps the value, a dash removes it. */
async function fill(cli: Cli, field: ShownField, texts: SetupTexts): Promise<string> {
  const name = field.setting as 'port'
  cli.note(`  ${texts[`${name}Hint`]}`)
  const shown = field.secret && field.isSet ? '***' : field.text
  for (;;) {
    const answer = (await cli.ask(`${texts[name]}${shown === '' ? '' : ` [${shown}]`}: `)).trim()
    const text = answer === '-' ? '' : answer === '' ? field.text : answer
    const fault = faultOf(field, text, texts)
    if (fault === undefined) return text
    cli.note(`  ! ${fault}`)
  }
}
