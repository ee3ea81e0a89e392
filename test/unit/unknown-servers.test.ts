/** Setup and doctor ask addresses at which anything may answer. */

import { expect, onTestFinished, test } from 'bun:test'
import { loadConfig } from '../../src/base/config/load.ts'
import { askService } from '../../src/commands/cli/running-service.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import type { Asked } from '../../src/upkeep/setup/step.ts'
import { SETUP_TEXTS } from '../../src/upkeep/setup/texts/setup-texts.ts'
import { tryProxy } from '../../src/upkeep/setup/tries.ts'
import { tempDir } from '../support/temp-dir.ts'

const MIB = 2 ** 20

/** A server whose answers have no end. */
function startEndless() {
  let sent = 0
  const pull = (controller: ReadableStreamDefaultController) => {
    sent += MIB
    controller.enqueue(new Uint8Array(MIB))
  }
  const server = Bun.serve({ port: 0, fetch: () => new Response(new ReadableStream({ pull })) })
  onTestFinished(() => server.stop(true))
  return { address: `http://localhost:${server.port}`, sent: () => sent }
}

const now = () => new Date()

test('only the beginning of an endless answer is read', async () => {
  const { address, sent } = startEndless()
  const folder = new DataDir(tempDir())
  const config = loadConfig({ flags: { base_url: address } }).values
  const texts = SETUP_TEXTS.en
  const place = { folder, now, command: [], read: () => ({ config }) }
  const found = await tryProxy({ config, texts, place } as unknown as Asked)
  expect(found).toContainEqual({ state: 'note', says: texts.answersOther(address) })
  expect(await askService({ config, folder, now }, address)).toEqual({ probe: null })
  expect(sent()).toBeLessThan(64 * MIB)
})
