/** Accounts and their mail. */

import { LANGUAGES } from '../../text/language.ts'
import { setting } from '../setting.ts'
import { ADDRESSES, choice, DURATION, ON_OFF, SMTP_URL, text } from '../setting-kinds.ts'

export const ACCOUNT_SETTINGS = {
  smtp_url: setting({
    kind: SMTP_URL,
    fallback: null,
    secret: true,
    help: 'Mail server, smtp:// or smtps://, with user and password where it needs them; without one, mail goes to the log.',
  }),
  smtp_insecure: setting({
    kind: ON_OFF,
    fallback: 'off',
    help: 'Send mail also to a server of another machine that offers no encryption: passwords and links travel in clear.',
  }),
  mail_from: setting({
    kind: text('an e-mail address, or a name with one in angle brackets'),
    fallback: null,
    help: 'Sender of mail; by default no-reply at the host of the public address.',
  }),
  alerts_to: setting({
    kind: ADDRESSES,
    fallback: null,
    help: 'Who gets a mail when a file or a refresh is refused, a backup is late, the disk is below disk_floor or the certificate ends within 14 days, and when that is over.',
  }),
  alerts_language: setting({
    kind: choice(LANGUAGES),
    fallback: 'ro',
    help: 'Language of these mails.',
  }),
  require_second_factor: setting({
    kind: choice(['off', 'publishers', 'all']),
    fallback: 'off',
    help: 'Whose account must have a second factor before it can do more than turn one on. API keys keep working.',
  }),
  sign_in_retention: setting({
    kind: DURATION,
    fallback: '180d',
    help: 'How long the history of sign-ins goes back.',
  }),
}
