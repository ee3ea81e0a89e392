/** The steps of the setup, for the shell and for its page: what each asks and tries. */

import type { SettingName } from '../../base/config/config.ts'
import { startsByItself, tryStart } from './start-with-machine.ts'
import type { Field, Step } from './step.ts'
import { tryAcme, tryAddress, tryBackup, tryCertificate, tryMail, tryProxy, tryUnencrypted } from './tries.ts'

const optional = (setting: SettingName): Field => ({ setting, optional: true })

export const STEPS: readonly Step[] = [
  {
    name: 'institution',
    ways: [
      {
        name: 'institution',
        fields: [{ setting: 'publisher' }, optional('contact')],
        tries: ({ config, texts }) => [{ state: 'ok', says: texts.pagesNamed(config.publisher ?? '') }],
      },
    ],
  },
  {
    name: 'address',
    ways: [
      {
        name: 'address',
        fields: [optional('base_url'), { setting: 'host' }, { setting: 'port' }],
        tries: tryAddress,
      },
    ],
  },
  {
    name: 'https',
    ways: [
      { name: 'httpsNone', fields: [], tries: tryUnencrypted },
      {
        name: 'httpsProxy',
        fields: [{ setting: 'trusted_proxies', suggests: '127.0.0.1' }],
        tries: tryProxy,
      },
      {
        name: 'httpsAcme',
        fields: [{ setting: 'acme_host' }, optional('acme_email')],
        tries: tryAcme,
      },
      {
        name: 'httpsOwn',
        fields: [{ setting: 'tls_cert' }, { setting: 'tls_key' }],
        tries: tryCertificate,
      },
    ],
  },
  {
    name: 'mail',
    ways: [
      { name: 'mailNone', fields: [], tries: ({ texts }) => [{ state: 'note', says: texts.mailToLog }] },
      {
        name: 'mailServer',
        fields: [{ setting: 'smtp_url' }, optional('mail_from'), { setting: 'alerts_to' }],
        tries: tryMail,
      },
    ],
  },
  {
    name: 'backup',
    ways: [
      { name: 'backupNone', fields: [], tries: () => [] },
      {
        name: 'backupFolder',
        fields: [
          { setting: 'backup_dir' },
          { setting: 'backup_schedule', suggests: '30 2 * * *' },
          { setting: 'backup_keep' },
        ],
        tries: tryBackup,
      },
    ],
  },
  {
    name: 'start',
    inUse: (place) => (startsByItself(place) ? 1 : 0),
    ways: [
      { name: 'startNo', fields: [], tries: (asked) => tryStart(asked, false) },
      { name: 'startYes', fields: [], tries: (asked) => tryStart(asked, true) },
    ],
  },
]
