/** Settings that do nothing, or not what they seem to. */

import { SETTINGS, type SettingName } from '../../config.ts'
import { EVERY_DATASET } from '../datasets/list.ts'
import { withCatalog } from '../folder.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'

/** A setting that was given although another one takes its effect away. */
interface Idle {
  readonly setting: SettingName
  /** Whether it does nothing as things are. */
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
    because: 'answers are lines of the level info, which log_level leaves out',
    remedy: 'IZVOR_LOG_LEVEL=info',
  },
  {
    setting: 'reuse_port',
    idle: ({ reuse_port }) => reuse_port && process.platform !== 'linux',
    because: 'only Linux shares a port among processes like this',
    remedy: 'take it out of the settings',
  },
]

export function checkSettings({ loaded }: Site): Finding[] {
  const { values, origins } = loaded
  const idle = IDLE.filter(({ setting, idle }) => origins[setting] !== 'default' && idle(values))
  const findings = idle.map(({ setting, because, remedy }) =>
    finding('settings', 'warning', {
      what: `${setting} (from ${origins[setting]}) does nothing: ${because}.`,
      why: 'Whoever set it believes that it does something.',
      remedy,
    }),
  )
  if (values.keep_versions < 2) {
    findings.push(
      finding('settings', 'note', {
        what: `Only ${values.keep_versions} version of a dataset is kept.`,
        why: 'There is nothing to go back to when a publisher sends a bad file.',
        remedy: `IZVOR_KEEP_VERSIONS=${SETTINGS.keep_versions.fallback}`,
      }),
    )
  }
  return findings.length > 0 ? findings : [fine('settings', 'Every setting that was given does something.')]
}

/** Schedules in definitions that nobody follows. */
export function checkRefreshSetting({ loaded }: Site): Finding[] {
  if (loaded.values.refresh) return []
  const scheduled = withCatalog(loaded.values, (catalog) =>
    catalog.list(EVERY_DATASET).datasets.filter(({ id }) => catalog.sources.find(id)?.schedule != null),
  )
  if (scheduled.length === 0) return []
  return [
    finding('settings', 'note', {
      what: `refresh is off, so the schedules of ${scheduled.map(({ id }) => id).join(', ')} are not followed.`,
      why: 'What they serve grows old.',
      remedy: 'IZVOR_REFRESH=on',
    }),
  ]
}
