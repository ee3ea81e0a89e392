/** Addresses that publishers have fetched by a schedule. */

import type { Config } from '../../base/config/config.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { holdsSecrets, readUrl, showAddress } from './address.ts'
import { refusePrivate } from './request.ts'

/**
 * What a publisher may have fetched by a schedule.
 * @returns the address as it is kept
 * @throws ApiError `invalid_body` for what is no address, holds a secret, or lies inside a private network
 */
export async function requireAddress(
  given: string,
  { publish_private_addresses }: Pick<Config, 'publish_private_addresses'>,
): Promise<string> {
  try {
    if (holdsSecrets(readUrl(given)))
      throw new CommandError(
        'usage',
        'a password or key in an address is not kept, so the source could not be fetched with it',
      )
    if (!publish_private_addresses) await refusePrivate(given)
    return showAddress(given)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const message = `source_url: ${error.message}.`
    throw new ApiError('invalid_body', message, [{ location: 'body.source_url', message }])
  }
}

type Decisions = Readonly<Record<string, unknown>>

/**
 * A schedule among the decisions about a draft is refused at once; each refresh looks again (`publish/refresh/refresh.ts`).
 * @throws ApiError as `requireAddress`
 */
export async function refusePrivateSchedule(
  config: Pick<Config, 'publish_private_addresses'>,
  before: Decisions,
  added: Decisions,
): Promise<void> {
  const { source_url, refresh } = { ...before, ...added }
  const isDecided = added.source_url !== undefined || added.refresh !== undefined
  if (isDecided && typeof source_url === 'string' && typeof refresh === 'string')
    await requireAddress(source_url, config)
}
