/** Settings without effect, or with another one than they seem to have. */

import { statSync } from 'node:fs'
import { SETTINGS, type SettingName } from '../../base/config/config.ts'
import { EVERY_DATASET, withCatalog } from '../cli/folder.ts'
import { SETTINGS_FILE } from '../cli/settings.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'

/** A setting that was given but has no effect because of another one. */
interface Idle {
  readonly setting: SettingName
  /** Whether it has no effect with these values. */
  readonly idle: (values: Site['loaded']['values']) => boolean
  readonly because: string
  readonly remedy: string
}

const IDLE: readonly Idle[] = [
  {
    setting: 'mail_from',
    idle: ({ smtp_url }) => smtp_url === null,
    because: 'there is no mail server',
    remedy: 'IZVOR_SMTP_URL=smtps://user:password@mail.example.org',
  },
  {
    setting: 'alerts_to',
    idle: ({ smtp_url }) => smtp_url === null,
    because: 'there is no mail server, so alerts go to the log',
    remedy: 'IZVOR_SMTP_URL=smtps://user:password@mail.example.org',
  },
  {
    setting: 'alerts_language',
    idle: ({ alerts_to }) => alerts_to === null,
    because: 'nobody gets alerts',
    remedy: 'IZVOR_ALERTS_TO=operator@example.org',
  },
  {
    setting: 'backup_keep',
    idle: ({ backup_schedule }) => backup_schedule === null,
    because: 'there is no schedule for backups',
    remedy: "IZVOR_BACKUP_SCHEDULE='30 2 * * *' IZVOR_BACKUP_DIR=/backup",
  },
  {
    setting: 'backup_schedule',
    idle: ({ backup_dir }) => backup_dir === null,
    because: 'there is no folder for backups; serve refuses to start like this',
    remedy: 'IZVOR_BACKUP_DIR=/backup',
  },
  {
    setting: 'backup_dir',
    idle: ({ backup_schedule }) => backup_schedule === null,
    because: 'there is no schedule for backups; serve refuses to start like this',
    remedy: "IZVOR_BACKUP_SCHEDULE='30 2 * * *'",
  },
  {
    setting: 'access_log',
    idle: ({ access_log, log_level }) => access_log && !['info', 'debug', 'trace'].includes(log_level),
    because: 'answers are logged at the level info, which log_level leaves out',
    remedy: 'IZVOR_LOG_LEVEL=info',
  },
  {
    setting: 'reuse_port',
    idle: ({ reuse_port }) => reuse_port && process.platform !== 'linux',
    because: 'processes can share a port on Linux only',
    remedy: 'remove it from the settings',
  },
]

export function checkSettings({ loaded }: Site): Finding[] {
  const { values, origins } = loaded
  const idle = IDLE.filter(({ setting, idle }) => origins[setting] !== 'default' && idle(values))
  const findings = idle.flatMap(({ setting, because, remedy }) =>
    finding('settings', 'warning', {
      what: `${setting} (from ${origins[setting]}) has no effect: ${because}.`,
      why: 'A setting without effect suggests a configuration that is not in force.',
      remedy,
    }),
  )
  if (values.keep_versions < 2) {
    findings.push(
      ...finding('settings', 'note', {
        what: `Only ${values.keep_versions} version of a dataset is kept.`,
        why: 'A rollback is impossible when a publisher sends a bad file.',
        remedy: `IZVOR_KEEP_VERSIONS=${SETTINGS.keep_versions.fallback}`,
      }),
    )
  }
  findings.push(...checkPassword(loaded))
  return findings.length > 0 ? findings : fine('settings', 'Every setting that was given has an effect.')
}

/** The right of users outside of the file's group to read. */
const ALL_READ = 0o004

/** A settings file that everybody may read, with the password of the mail server in it. */
function checkPassword({ values, origins }: Site['loaded']): Finding[] {
  const { smtp_url: url } = values
  const isHere = origins.smtp_url === SETTINGS_FILE && url !== null && new URL(url).password !== ''
  if (!isHere || process.platform === 'win32') return []
  const { mode } = statSync(SETTINGS_FILE)
  if ((mode & ALL_READ) === 0) return []
  return finding('settings', 'warning', {
    what: `Every user of this machine can read the password of the mail server in ${SETTINGS_FILE} (mode ${(mode & 0o777).toString(8)}).`,
    why: 'Anyone who has it can send mail in your name.',
    remedy: `chmod 640 ${SETTINGS_FILE}   (its group must be the one of the service)`,
  })
}

/** Schedules in definitions that are not followed. */
export async function checkRefreshSetting({ loaded }: Site): Promise<Finding[]> {
  if (loaded.values.refresh) return []
  const scheduled = await withCatalog(loaded.values, (catalog) =>
    catalog.list(EVERY_DATASET).datasets.filter(({ id }) => catalog.sources.find(id)?.schedule != null),
  )
  if (scheduled.length === 0) return []
  return finding('settings', 'note', {
    what: `refresh is off, so the schedules of ${scheduled.map(({ id }) => id).join(', ')} are not followed.`,
    why: 'The data that they serve becomes outdated.',
    remedy: 'IZVOR_REFRESH=on',
  })
}
