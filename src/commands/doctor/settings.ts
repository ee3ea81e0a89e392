/** Settings that have no effect, or not the one they seem to have. */

import { statSync } from 'node:fs'
import { type Config, SETTINGS, type SettingName } from '../../base/config/config.ts'
import { SETTINGS_FILE } from '../../base/config/settings-file.ts'
import { EVERY_DATASET, withCatalog } from '../cli/folder.ts'
import { type Answer, fine, note, type Said, type Site, warning } from './finding.ts'

/** Whether another setting leaves a setting without effect; why, and the remedy. */
const IDLE: {
  readonly [K in SettingName]?: [idle: (values: Config) => boolean, because: string, remedy: string]
} = {
  mail_from: [
    ({ smtp_url }) => smtp_url === null,
    'there is no mail server',
    'IZVOR_SMTP_URL=smtps://user:password@mail.example.org',
  ],
  alerts_to: [
    ({ smtp_url }) => smtp_url === null,
    'there is no mail server, so alerts go to the log',
    'IZVOR_SMTP_URL=smtps://user:password@mail.example.org',
  ],
  alerts_language: [
    ({ alerts_to }) => alerts_to === null,
    'nobody gets alerts',
    'IZVOR_ALERTS_TO=operator@example.org',
  ],
  backup_keep: [
    ({ backup_schedule }) => backup_schedule === null,
    'there is no schedule for backups',
    "IZVOR_BACKUP_SCHEDULE='30 2 * * *' IZVOR_BACKUP_DIR=/backup",
  ],
  backup_schedule: [
    ({ backup_dir }) => backup_dir === null,
    'there is no folder for backups; serve refuses to start like this',
    'IZVOR_BACKUP_DIR=/backup',
  ],
  backup_dir: [
    ({ backup_schedule }) => backup_schedule === null,
    'there is no schedule for backups; serve refuses to start like this',
    "IZVOR_BACKUP_SCHEDULE='30 2 * * *'",
  ],
  access_log: [
    ({ access_log, log_level }) => access_log && !['info', 'debug', 'trace'].includes(log_level),
    'answers are logged at the level info, which log_level leaves out',
    'IZVOR_LOG_LEVEL=info',
  ],
  reuse_port: [
    ({ reuse_port }) => reuse_port && process.platform !== 'linux',
    'processes can share a port only on Linux',
    'remove it from the settings',
  ],
}

export function checkSettings({ loaded }: Site): Answer {
  const { values, origins } = loaded
  const findings: Said[] = []
  for (const [name, [isIdle, because, remedy]] of Object.entries(IDLE)) {
    const origin = origins[name as SettingName]
    if (origin === 'default' || !isIdle(values)) continue
    const why = 'A setting without effect suggests a configuration that is not in force.'
    findings.push(warning(`${name} (from ${origin}) has no effect: ${because}.`, why, remedy))
  }
  if (values.keep_versions < 2) {
    const what = `Only ${values.keep_versions} version of a dataset is kept.`
    const why = 'A rollback is impossible when a publisher sends a bad file.'
    findings.push(note(what, why, `IZVOR_KEEP_VERSIONS=${SETTINGS.keep_versions.fallback}`))
  }
  findings.push(...checkPassword(loaded))
  return findings.length > 0 ? findings : fine('Every setting that was given has an effect.')
}

/** A settings file that everybody may read, with the password of the mail server in it. */
function checkPassword({ values: { smtp_url: url }, origins }: Site['loaded']): Said[] {
  const isHere = origins.smtp_url === SETTINGS_FILE && url !== null && new URL(url).password !== ''
  if (!isHere || process.platform === 'win32') return []
  const { mode } = statSync(SETTINGS_FILE)
  if ((mode & 0o004) === 0) return []
  const what = `Every user of this machine can read the password of the mail server in ${SETTINGS_FILE} (mode ${(mode & 0o777).toString(8)}).`
  const remedy = `chmod 640 ${SETTINGS_FILE}   (its group must be the one of the service)`
  return [warning(what, 'Anyone who has it can send mail in your name.', remedy)]
}

/** Schedules in definitions that are not followed. */
export async function checkRefreshSetting({ config }: Site): Promise<Answer> {
  if (config.refresh) return
  const scheduled = await withCatalog(config, (catalog) =>
    catalog.list(EVERY_DATASET).datasets.filter(({ id }) => catalog.sources.find(id)?.schedule != null),
  )
  if (scheduled.length === 0) return
  const what = `refresh is off, so the schedules of ${scheduled.map(({ id }) => id).join(', ')} are not followed.`
  return note(what, 'The data that they serve becomes outdated.', 'IZVOR_REFRESH=on')
}
