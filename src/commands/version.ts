/** izvor version, izvor licenses: what this program is, and the notices of all that is in it. */

import notice from '../../NOTICE' with { type: 'text' }
import { nameBuild, readBuild } from '../base/build.ts'
import { bareCommand } from './cli/command-row.ts'

export const VERSION_LINE = `izvor ${nameBuild()}`

export const version = bareCommand({
  name: 'version',
  description: 'Print the version.',
  jsonHelp: ', with commit, runtime and platform',
  does: () => ({ ...readBuild(), bun: Bun.version, platform: `${process.platform}-${process.arch}` }),
  prints: (cli) => cli.print(`${VERSION_LINE}\n`),
})

export const licenses = bareCommand({
  name: 'licenses',
  description: 'Print the licenses of all that is in the program.',
  jsonHelp: ': name, version and license of each part',
  does: () =>
    [...notice.matchAll(/^== (\S+) (.+?) \((.+)\)$/gm)].map(([, name, version, license]) => {
      return { name, version, license }
    }),
  prints: (cli) => cli.print(notice),
})
