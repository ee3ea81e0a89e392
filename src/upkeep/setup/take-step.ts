/** Takes the answers of a step: checks them like settings, tries them, and writes them. */

import { SETTINGS, type SettingName } from '../../base/config/config.ts'
import { describeSettings } from '../../base/config/load.ts'
import type { Setting } from '../../base/config/setting.ts'
import {
  changeSettings,
  readSettingsFile,
  SETTINGS_FILE,
  type SettingChanges,
  writeSettingsFile,
  writeValue,
} from '../../base/config/settings-file.ts'
import { CommandError } from '../../base/errors.ts'
import type { Finding, SetupPlace, SetupTexts, Step } from './step.ts'

/** A field as shown. */
export type ShownField = ReturnType<typeof describeStep>['ways'][number]['fields'][number]

/** The current state of a step: the way in use, and the values of all ways as people write them. */
export function describeStep(place: SetupPlace, step: Step) {
  const known = new Map(describeSettings(place.read()).map((one) => [one.name, one]))
  const ways = step.ways.map(({ name, fields }) => ({
    name,
    fields: fields.map((field) => {
      const { value, written, origin } = known.get(field.setting)!
      const { secret = false } = SETTINGS[field.setting] as Setting<unknown>
      return {
        ...field,
        secret,
        origin,
        isSet: value !== null,
        text: secret ? '' : (written ?? field.suggests ?? ''),
      }
    }),
  }))
  const given = ways.findLastIndex(({ fields }) => fields.some(({ origin }) => origin !== 'default'))
  return { ways, inUse: step.inUse?.(place) ?? Math.max(0, given) }
}

/** The outcome: faults by field, else findings, and whether the file holds the answers now. */
export interface Taken {
  readonly faults: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  readonly saved: boolean
  /** Whether they can be written although something was found to be wrong. */
  readonly canSave: boolean
  /** Settings that changed in the file. */
  readonly changed: readonly SettingName[]
}

export interface Answers {
  readonly way: number
  readonly texts: Readonly<Record<string, string>>
  /** Writes them without trying them again, whatever was found. */
  readonly anyway?: boolean
}

/** What is wrong with a text for a field, in words; undefined: nothing. A text may be empty if the field is optional. */
export function faultOf({ setting, optional, secret, isSet }: ShownField, text: string, texts: SetupTexts) {
  const { kind, fallback } = SETTINGS[setting] as Setting<unknown>
  if (text === '')
    return optional || fallback !== null || (secret && isSet)
      ? undefined
      : texts.missing(texts[setting as 'port'])
  if (kind.parse(text) !== undefined) return undefined
  const expected = texts.expected(setting)
  return secret ? texts.secretMisfit(expected) : texts.misfit(text, expected)
}

/** Tries the answers and writes them. */
export async function takeStep(
  place: SetupPlace,
  step: Step,
  { way, texts: given, anyway }: Answers,
  texts: SetupTexts,
): Promise<Taken> {
  const { ways } = describeStep(place, step)
  const chosen = ways[way]!
  const faults = Object.fromEntries(
    chosen.fields.flatMap((field) => {
      const fault = faultOf(field, (given[field.setting] ?? '').trim(), texts)
      return fault === undefined ? [] : [[field.setting, fault]]
    }),
  )
  const findings: Finding[] = []
  const taken: Taken = { faults, findings, saved: false, canSave: false, changed: [] }
  if (Object.keys(faults).length > 0) return taken
  const changes = changesOf(ways, way, given)
  try {
    const config = place.read(changes).values
    if (!anyway) findings.push(...(await step.ways[way]!.tries({ config, place, texts })))
    const names = Object.keys(changes) as SettingName[]
    const isBad = findings.some(({ state }) => state === 'bad')
    if (isBad && !anyway) return { ...taken, canSave: names.length > 0 }
    if (names.length > 0 && !write(changes, findings, texts)) return taken
    if (names.length > 0) findings.push(...sayChanges(place, names, texts))
    else if (findings.length === 0) findings.push({ state: 'ok', says: texts.unchanged })
    return { ...taken, saved: true, changed: names }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    findings.push({ state: 'bad', says: error.message })
    return taken
  }
}

/** Writes the changes, or says what somebody with the rights has to write, without secrets. */
function write(changes: SettingChanges, findings: Finding[], texts: SetupTexts): boolean {
  try {
    writeSettingsFile(changeSettings(readSettingsFile() ?? '', changes))
    return true
  } catch (error) {
    const isSecret = (name: string) => (SETTINGS[name as SettingName] as Setting<unknown>).secret
    const lines = Object.entries(changes).map(([name, value]) =>
      value === null ? `#${name}` : `${name} = ${isSecret(name) ? '"***"' : writeValue(value)}`,
    )
    findings.push({ state: 'bad', says: texts.notWritten((error as Error).message, lines.join(' · ')) })
    return false
  }
}

/** The changes of the file. Settings that only other ways ask for are removed; a secret left empty stays. */
function changesOf(
  ways: ReturnType<typeof describeStep>['ways'],
  way: number,
  given: Answers['texts'],
): SettingChanges {
  const changes: Record<string, string | null> = {}
  for (const [at, { fields }] of ways.entries()) {
    for (const { setting, text, origin, secret, isSet } of fields) {
      const wanted = at === way ? (given[setting] ?? '').trim() : ''
      const isKept = at === way && secret && wanted === ''
      const isHere = origin === SETTINGS_FILE
      const isSame = wanted === '' ? !isHere : isSet && wanted === text
      if (!isKept && !isSame) changes[setting] = wanted === '' ? null : wanted
    }
  }
  return changes
}

/** Says where the settings were written, and from when each is in force. */
function sayChanges(place: SetupPlace, names: readonly SettingName[], texts: SetupTexts): Finding[] {
  const { origins, values } = place.read()
  const labelOf = (name: SettingName) => texts[name as 'port']
  const elsewhere = names.filter((name) => ![SETTINGS_FILE, 'default'].includes(origins[name]))
  const live = place.takeUp?.() ?? []
  const now = names.filter((name) => live.includes(name) && !elsewhere.includes(name))
  const later = names.filter((name) => !live.includes(name) && !elsewhere.includes(name))
  const list = (some: readonly SettingName[]) => some.map(labelOf).join(', ')
  return [
    { state: 'ok', says: texts.saved(SETTINGS_FILE) },
    ...elsewhere.map(
      (name): Finding => ({ state: 'note', says: texts.overridden(labelOf(name), origins[name]) }),
    ),
    ...(now.length > 0 ? [{ state: 'ok', says: texts.nowInForce(list(now)) } as const] : []),
    ...(values.database_url === null ? [] : [{ state: 'note', says: texts.otherNodes } as const]),
    ...(later.length > 0 ? [{ state: 'note', says: texts.atNextStart(list(later)) } as const] : []),
  ]
}
