/**
 * The executable for Linux on arm64, run by QEMU's user mode with Debian's libraries for arm64. It needs the file that
 * `bun run build linux-arm64` makes, named by IZVOR_ARM64, as `.ci/run` does.
 */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { findProgram } from '../support/find-program.ts'
import { tempDir } from '../support/temp-dir.ts'
import { xlsx } from '../support/workbooks.ts'
import {
  izvor,
  JOURNEY_TIMEOUT,
  mint,
  type RunningService,
  type RunOptions,
  serve,
  succeed,
} from './program.ts'

// QEMU translates every instruction: a start takes seconds.
setDefaultTimeout(3 * JOURNEY_TIMEOUT)

const ROWS = 3000
const LIBRARIES = '/usr/aarch64-linux-gnu'

/** How the kernel recognises an ELF file for arm64: the bytes of its header, and the mask of bits compared (binfmt_misc). */
const MAGIC = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`
const MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`

/** Runs a command in a namespace where the kernel starts QEMU for such files (Linux 6.7), so programs can start others. */
function withKernel(qemu: string): readonly string[] {
  const kernel = '/proc/sys/fs/binfmt_misc'
  const rule = `:arm64:M::${MAGIC}:${MASK}:${qemu}:F`
  const script = `mount -t binfmt_misc none ${kernel} && printf %s '${rule}' > ${kernel}/register && exec "$@"`
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh']
}

/** How to run an arm64 program here; null, with a message, if something is missing. */
function onArm64(): (RunOptions & { readonly startsItself: boolean }) | null {
  const program = process.env.IZVOR_ARM64
  const qemu = findProgram('qemu-aarch64-static')
  if (qemu === null) return null
  if (program === undefined || !existsSync(program)) {
    console.warn('skipped: IZVOR_ARM64 names no executable')
    return null
  }
  if (!existsSync(`${LIBRARIES}/lib/libc.so.6`)) {
    console.warn('skipped: libc6-arm64-cross is not installed')
    return null
  }
  const through = withKernel(qemu)
  const startsItself =
    findProgram('unshare') !== null &&
    Bun.spawnSync([...through, 'true'], { stderr: 'ignore' }).exitCode === 0
  if (!startsItself) console.warn('workbooks skipped: programs for arm64 cannot start others here')
  return {
    program,
    through: startsItself ? through : [qemu],
    env: { QEMU_LD_PREFIX: LIBRARIES },
    startsItself,
  }
}

const arm64 = onArm64()

/** The answers of a service without their time and address. */
async function answersOf(service: RunningService, secret: string): Promise<string[]> {
  const addresses = [
    '/v1/test/locuri?judet=Iași&sort=-valoare&limit=5',
    '/v1/test/locuri?nume[contains]=târg&valoare[gte]=100.5',
    '/v1/test/locuri/aggregate?group_by=judet&measures=count,sum(valoare),median(valoare)',
    '/v1/test/locuri/export?format=csv&sort=nume',
  ]
  return await Promise.all(
    addresses.map(async (address) => {
      const answer = await service.get(address, secret)
      const text = (await answer.text())
        .replaceAll(service.address, '')
        .replaceAll(/"generated_at":"[^"]+"/g, '')
      return `${address} ${answer.status} ${text}`
    }),
  )
}

test.skipIf(arm64 === null)(
  'the executable for arm64 ingests, serves and stops, and answers like the one for this machine',
  async () => {
    const there = arm64 as NonNullable<typeof arm64>
    const folder = tempDir()
    const data = join(folder, 'data')
    const file = join(folder, 'locuri.csv')
    const counties = ['Cluj', 'Iași', 'Argeș', 'Târgoviște']
    const rows = Array.from(
      { length: ROWS },
      (_, row) => `${counties[row % 4]};Târg nr. ${(row * 7919) % ROWS};${row % 997},5`,
    )
    await Bun.write(file, ['judet;nume;valoare', ...rows, ''].join('\r\n'))

    expect(await succeed(['version'], there)).toStartWith(`izvor ${packageJson.version}`)
    const ingested = await succeed(
      ['ingest', file, '--id', 'locuri', '--domain', 'test', '--data', data],
      there,
    )
    expect(ingested).toContain('3,000 rows imported of 3,000 records')
    expect((await izvor(['datasets', 'verify', '--data', data], there)).code).toBe(0)

    if (there.startsItself) {
      const workbook = join(folder, 'locuri.xlsx')
      await Bun.write(
        workbook,
        xlsx([
          {
            name: 'Locuri',
            rows: [
              ['nume', 'valoare'],
              ['Iași', '2,5'],
              ['Cluj', '1'],
            ],
          },
        ]),
      )
      const read = await succeed(
        ['ingest', workbook, '--id', 'foaie', '--domain', 'test', '--data', data],
        there,
      )
      expect(read).toContain('2 rows imported of 2 records')
    }

    const { secret } = await mint(data, there)
    const far = await serve(data, ['serve'], there)
    const answers = await answersOf(far, secret)
    for (const answer of answers) expect(answer).toMatch(/^\S+ 200 /)
    expect((await far.get('/datasets/locuri', secret)).status).toBe(200)
    far.signal('SIGTERM')
    expect(await far.exited).toBe(0)

    const near = await serve(data)
    expect(answers).toEqual(await answersOf(near, secret))
  },
)
