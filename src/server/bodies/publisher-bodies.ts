/** The bodies of `/publish/api`. */

import { named, oneOf, text } from '../declaration/schema.ts'
import { PUBLISHER_DOMAINS } from './account-bodies.ts'

export const PUBLISHER = named('Publisher', {
  role: oneOf(['publisher']),
  publisher_domains: PUBLISHER_DOMAINS,
  by: text({
    pattern: '^(account|key):[1-9][0-9]*$',
    description: 'Who that is in the audit log.',
  }),
})
