import type { MailTexts } from './texts.ts'

export const ENGLISH: MailTexts = {
  closing: 'Sent automatically by the open data service {host}. There is no need to answer.',
  verify: {
    subject: 'Confirm your e-mail address',
    before: [
      'Welcome to {host}.',
      'Please confirm that this address is yours. The link works once, for 24 hours.',
    ],
    button: 'Confirm the address',
    after: ['If you did not register, ignore this message: nothing else will follow.'],
  },
  reset: {
    subject: 'Set a new password',
    before: [
      'A new password was requested for the account with this address at {host}.',
      'The link works once, for 30 minutes. Setting a new password signs out every browser; API keys keep working.',
    ],
    button: 'Set a new password',
    after: ['If you did not request it, ignore this message: your password stays as it is.'],
  },
  invitation: {
    subject: 'Your new account',
    before: [
      'An account with this address was created for you at {host}.',
      'Choose a password to sign in. The link works once, for 24 hours; after that, "Forgot your password?" sends another.',
    ],
    button: 'Choose a password',
    after: ['If you did not expect this message, ignore it.'],
  },
  password_changed: {
    subject: 'Your password was changed',
    before: [
      'The password of your account at {host} was changed ({time} UTC).',
      'If it was not you, set a new one at once with "Forgot your password?" on the sign-in page, and check your API keys.',
    ],
  },
  second_factor_on: {
    subject: 'Signing in now takes a code',
    before: [
      'A second factor was turned on for your account at {host} ({time} UTC): signing in takes a code from an authenticator app as well. All other browsers were signed out.',
      'If it was not you, write to the operator of the service, who can turn it off, and set a new password with "Forgot your password?".',
    ],
  },
  second_factor_off: {
    subject: 'Signing in no longer takes a code',
    before: [
      'The second factor of your account at {host} was turned off ({time} UTC). The password alone signs in.',
      'If it was not you, set a new password at once with "Forgot your password?" on the sign-in page, and check your API keys.',
    ],
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    before: [
      'A recovery code was used for your account at {host} ({time} UTC). It does not work again.',
      'If it was not you, set a new password at once with "Forgot your password?" on the sign-in page, then turn the second factor off and on again.',
    ],
  },
  key_created: {
    subject: 'A new API key was created',
    before: [
      'A new API key was created for your account at {host} ({time} UTC).',
      'If it was not you, revoke the key in your account and change your password.',
    ],
  },
  key_rotated: {
    subject: 'The secret of an API key was replaced',
    before: [
      'The secret of at least one API key of your account at {host} was replaced ({time} UTC). The old secret no longer works.',
      'If it was not you, revoke the key in your account and change your password.',
    ],
  },
  key_expires: {
    subject: 'An API key is about to expire',
    before: [
      'The API key "{key}" of your account at {host} stops working on {end} UTC.',
      'To keep it, give it a later end in your account; its secret stays the same. If it is no longer needed, there is nothing to do.',
    ],
  },
  account_deleted: {
    subject: 'Your account was deleted',
    before: [
      'Your account at {host} was deleted ({time} UTC), with its API keys, sessions, usage and logs.',
      'If it was not you, please write to the operator of the service.',
    ],
  },
  ingest_refused: {
    subject: 'A file for {subject} was refused',
    before: [
      'A file for the dataset {subject} (domain {domain}) was refused at {host} ({since} UTC). The published version stays as it is.',
      '{reason}',
    ],
  },
  ingest_refused_over: {
    subject: 'The refused file for {subject} is settled',
    before: [
      'A file for the dataset {subject} was refused at {host} ({since} UTC). Since then a file was published, the draft was changed or removed, the dataset was removed, or 30 days have passed.',
    ],
  },
  refresh_failed: {
    subject: 'The refresh of {subject} failed',
    before: [
      'The dataset {subject} could not be fetched again and published at {host} ({since} UTC). The published version stays as it is and is no longer up to date.',
      '{reason}',
      'izvor datasets show {subject}',
    ],
  },
  refresh_failed_over: {
    subject: 'The refresh of {subject} works again',
    before: [
      'The refresh of the dataset {subject} at {host} failed ({since} UTC). It works again, or the dataset has no such source any more.',
    ],
  },
  backup_late: {
    subject: 'A backup of {host} is late',
    before: [
      'A backup by schedule was not made in time at {host} ({time} UTC). The last good backup: {last}.',
      '{reason}',
      'izvor doctor',
    ],
  },
  backup_late_over: {
    subject: 'A backup of {host} is no longer late',
    before: [
      'A backup by schedule was late at {host} ({since} UTC). One was made since, or there is no schedule any more.',
    ],
  },
  disk_low: {
    subject: 'The disk of {host} is almost full',
    before: [
      '{free} are free on the disk that holds {subject} ({time} UTC), less than disk_floor, {floor}. The service at {host} says that it is not ready; ingests and backups need room.',
      'izvor doctor',
    ],
  },
  disk_low_over: {
    subject: 'The disk of {host} has room again',
    before: [
      'The disk that holds {subject} was almost full ({since} UTC). It has room again, more than disk_floor.',
    ],
  },
  certificate_ending: {
    subject: 'The certificate of {host} ends on {ends}',
    before: [
      'The certificate that {host} serves, from {subject}, ends on {ends}. From then on clients refuse to connect.',
      'Renew it, then let the service read it again: systemctl reload izvor (SIGHUP).',
    ],
  },
  certificate_ending_over: {
    subject: 'The certificate of {host} no longer ends soon',
    before: ['The service at {host} has no certificate any more that ends within 14 days.'],
  },
  certificate_failed: {
    subject: 'No new certificate was issued for {subject}',
    before: [
      'The service at {host} asked for a certificate for {subject} and got none ({since} UTC). The reason: {reason}',
      'It keeps the certificate that it has, and asks again by itself. When the reason is gone, systemctl reload izvor (SIGHUP) asks at once.',
      'izvor doctor',
    ],
  },
  certificate_failed_over: {
    subject: 'A new certificate was issued for {subject}',
    before: [
      'The service at {host} has a new certificate for {subject}, for which it had asked without success ({since} UTC).',
    ],
  },
  personal_data_served: {
    subject: '{subject} has columns that seem to hold personal data',
    before: [
      'The dataset {subject} at {host} got a new version whose columns {columns} seem to hold personal data. They were published before this was asked, so they stay published.',
      'If they may not be public, leave them out with a definition and ingest the file by hand. To say that they may: ingest it with --allow-personal-data and their names.',
    ],
  },
  personal_data_served_over: {
    subject: 'The columns with personal data in {subject} are settled',
    before: [
      'Since {since} UTC the dataset {subject} at {host} was ingested by hand again, or removed: its columns that seem to hold personal data were allowed or left out.',
    ],
  },
}
