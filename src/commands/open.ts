/**
 * izvor open [FILE] [--data DIR]: Izvor for the user of this machine, in the browser. A file manager runs this command
 * (`base/process/own-arguments.ts`).
 */

import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { requireOwner } from '../accounts/people/operator.ts'
import { publisherOfAccount } from '../accounts/people/publisher.ts'
import { toUser, type User } from '../accounts/people/user.ts'
import { closing } from '../base/closing.ts'
import type { Config } from '../base/config/config.ts'
import { CommandError } from '../base/errors.ts'
import { printedBy } from '../base/process/child.ts'
import { terminalLanguage } from '../base/text/language.ts'
import { formatBytes } from '../base/text/numbers.ts'
import { plainFileName } from '../http/headers.ts'
import { addUpload, receiveFile } from '../publish/drafts/add-draft.ts'
import type { DataDir } from '../store/files/data-dir.ts'
import type { Lock } from '../store/files/work-folder.ts'
import type { Cli } from './cli/cli.ts'
import { type DesktopPlace, desktopCommand } from './cli/command-row.ts'
import { openCatalog, withAccounts } from './cli/folder.ts'
import { findService } from './cli/running-service.ts'
import { openInBrowser } from './open/browser.ts'
import { letOwnerIn } from './open/entry-file.ts'
import { serveAlone } from './serve.ts'

/** These override the settings: only this machine's user reaches such a service. */
const ON_DESKTOP = {
  host: '127.0.0.1',
  port: 0,
  workers: 1,
  reuse_port: false,
  base_url: null,
  trusted_proxies: null,
  tls_cert: null,
  tls_key: null,
  acme_host: null,
} as const satisfies Partial<Config>

const FIRST_PAGE = '/open'
/** Addresses at which the owner may enter with a token. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]):/
const LOOK_MS = 200
const LONGEST_FILL_MS = 600_000

export const open = desktopCommand({
  name: 'open',
  description:
    'Open Izvor in the browser, for the user of this machine alone; a file becomes a draft to publish.',
  takes: (command: Command) =>
    command
      .argument('[file]', 'a file to publish')
      .option('--data <folder>', "Data directory (default: the user's own)"),
  settings: {},
  help:
    "\nThe data is in the user's own folder, and the izvor.toml there is read. A service that runs on that folder is opened,\n" +
    'else one starts for this machine alone; a button on its pages ends it.',
  json: null,
  async does({ cli, config, loaded, folder, startedIn }, file: string | undefined) {
    const owner = await withAccounts(config, folder, async (db) =>
      toUser(await requireOwner(db, terminalLanguage(cli.env), cli.now())),
    )
    const next =
      file === undefined
        ? FIRST_PAGE
        : await addDraft({ cli, config, folder }, owner, resolve(startedIn, file))
    const found = await findOrClaim({ cli, config, folder })
    if (typeof found !== 'string')
      return await serveOwner({ cli, loaded, config, folder }, owner, next, found)
    cli.note(`Izvor runs already, at ${found}`)
    // A token must not cross a network, so it is used only at a loopback address without TLS.
    if (!LOOPBACK.test(found)) return void (await openInBrowser(cli, config.base_url ?? found))
    await withAccounts(config, folder, (db) => letOwnerIn(cli, folder, db, owner, { address: found, next }))
  },
})

type Here = Pick<DesktopPlace, 'cli' | 'config' | 'folder'>

/** The address of the running service, or the lock to start one: two simultaneous starts make one service. */
async function findOrClaim({ cli, config, folder }: Here): Promise<string | Lock> {
  for (;;) {
    const found = await findService({ config, folder, now: cli.now })
    const lock = found ?? folder.lock('desktop')
    if (lock !== null) return lock
    await Bun.sleep(LOOK_MS)
  }
}

/** Serves until the owner or a signal ends it. */
async function serveOwner(
  { cli, loaded, config, folder }: Here & Pick<DesktopPlace, 'loaded'>,
  owner: User,
  next: string,
  lock: Lock,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const desktop = {
    end: () => ended.resolve(),
    addSamples: () => addSamples(cli, folder),
  }
  const values = { ...config, ...ON_DESKTOP }
  try {
    await serveAlone(cli, values, {
      given: { ...loaded, values },
      ends: ended.promise,
      desktop,
      onReady: (app, address) => {
        letOwnerIn(cli, folder, app.accounts, owner, { address, next }).catch((error: unknown) =>
          app.log.error({ err: error }, 'the browser could not be opened'),
        )
      },
    })
  } finally {
    lock.release()
  }
}

/**
 * @returns the path of its page
 * @throws CommandError `usage` for a file that is too large; Error of the file system; ApiError
 */
async function addDraft({ cli, config, folder }: Here, owner: User, file: string): Promise<string> {
  const { size: bytes } = statSync(file)
  if (bytes > config.max_upload)
    throw new CommandError(
      'usage',
      `${file} is larger than max_upload allows (${formatBytes('en', config.max_upload)})`,
    )
  using catalog = closing(await openCatalog(config, folder))
  const pieces = Bun.file(file).stream() as unknown as AsyncIterable<Uint8Array>
  const received = await receiveFile(folder, pieces, { floor: config.disk_floor, declared: bytes })
  const desk = { catalog, dataDir: folder, config, now: cli.now, draftWork: { wake() {} } }
  const named = { fileName: plainFileName(basename(file)), dataset: undefined }
  const { id } = await addUpload(desk, publisherOfAccount(owner), received, named)
  return `/publish/drafts/${id}`
}

/** In a separate process, since it takes some seconds. */
async function addSamples({ command }: Cli, { root }: DataDir): Promise<void> {
  const { code, message } = await printedBy(
    [...command, 'demo', '--fill-only', '--data', root],
    LONGEST_FILL_MS,
  )
  if (code !== 0) throw new CommandError('failed', `the sample data could not be published: ${message}`)
}
