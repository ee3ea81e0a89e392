/** Work that one of several processes does. */

import { expect, test } from 'bun:test'
import { pino } from 'pino'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import { type Claim, folderLease, Lease } from '../../src/upkeep/lease.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const log = pino({ level: 'silent' })

function open(claim: Claim, name: string, told: string[]): Lease {
  const begin = () => {
    told.push(`${name} begins`)
    return async () => {
      await Bun.sleep(1)
      told.push(`${name} ends`)
    }
  }
  return new Lease({ claim, begin, log })
}

const openOn = (dataDir: DataDir, name: string, told: string[]) => open(folderLease(dataDir), name, told)

test('one of two processes does the work on a folder, and the other once the first has ended it', async () => {
  const dataDir = tempDataDir()
  const told: string[] = []
  const [first, second] = [openOn(dataDir, 'first', told), openOn(dataDir, 'second', told)]
  await first.look()
  await second.look()
  await second.look()
  expect([first.isHeld, second.isHeld]).toEqual([true, false])
  await first.stop()
  await second.look()
  expect([first.isHeld, second.isHeld]).toEqual([false, true])
  await second.stop()
  expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('another process does the work once its holder is killed', async () => {
  const dataDir = tempDataDir()
  const program = `
    import { DataDir } from ${JSON.stringify(`${import.meta.dir}/../../src/store/files/data-dir.ts`)}
    process.stdout.write(String(new DataDir(${JSON.stringify(dataDir.root)}).lock('upkeep') !== null))
    setInterval(() => {}, 1000)`
  const holder = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  const { value } = await holder.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('true')
  const told: string[] = []
  const lease = openOn(dataDir, 'successor', told)
  await lease.look()
  expect(lease.isHeld).toBe(false)
  holder.kill('SIGKILL')
  await holder.exited
  await lease.look()
  expect(lease.isHeld).toBe(true)
  await lease.stop()
})

test('work ends when its timed lease has passed to another, and resumes with it', async () => {
  const told: string[] = []
  let holder: string | null = null
  const claim = () => {
    if (holder !== null) return null
    holder = 'a'
    return {
      isHeld: async () => holder === 'a',
      release: async () => {
        holder = null
      },
    }
  }
  const lease = open(claim, 'a', told)
  await lease.look()
  await lease.look()
  expect(told).toEqual(['a begins'])
  holder = 'b'
  await lease.look()
  expect(told).toEqual(['a begins', 'a ends'])
  holder = null
  await lease.look()
  expect(lease.isHeld).toBe(true)
  await lease.stop()
  expect([holder, told.length]).toEqual([null, 4])
})

test('a lease request that fails is repeated', async () => {
  let isBroken = true
  const claim = () => {
    if (isBroken) throw new Error('the disk is gone')
    return { isHeld: () => true, release: () => {} }
  }
  const lease = open(claim, 'a', [])
  await lease.look()
  expect(lease.isHeld).toBe(false)
  isBroken = false
  await lease.look()
  expect(lease.isHeld).toBe(true)
  await lease.stop()
})

test('work that is stopped while it asks for the lease does not begin', async () => {
  const told: string[] = []
  const asked = Promise.withResolvers<null>()
  let isReleased = false
  const release = () => {
    isReleased = true
  }
  const claim = async () => {
    await asked.promise
    return { isHeld: () => true, release }
  }
  const lease = open(claim, 'a', told)
  lease.start()
  const stopped = lease.stop()
  asked.resolve(null)
  await stopped
  expect([told, isReleased]).toEqual([[], true])
})
