import { expect, setDefaultTimeout, test } from 'bun:test'
import { commandOf, izvor } from '../journeys/program.ts'
import { startTestApp } from '../support/app.ts'
import { withoutSettings } from '../support/child-environment.ts'
import { freePort } from '../support/free-port.ts'
import { canRunNodes, freshNodeSettings, nodeVariables } from '../support/node-settings.ts'
import { startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

test.skipIf(!canRunNodes)(
  'a node whose database is frozen or dead promptly answers 503 on /v1 and on readiness, and recovers by itself',
  async () => {
    const server = await startPostgres()
    const node = { ...(await freshNodeSettings()), database_url: await server.createDatabase() }
    const app = await startTestApp({ node })
    try {
      await app.publish(TOWNS)
      const status = async (path: string) => (await app.get(path)).status
      const isBack = () => until(async () => (await status(TOWNS_PATH)) === 200)
      await isBack()
      for (const [end, begin] of [
        [() => server.freeze(), () => server.thaw()],
        [() => server.kill(), () => server.start()],
      ] as const) {
        await end()
        const asked = await Promise.all(
          Array.from({ length: 20 }, async () => {
            const began = performance.now()
            const { status, headers, body } = await app.get(TOWNS_PATH)
            expect([status, body.error.code]).toEqual([503, 'service_unavailable'])
            expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
            return performance.now() - began
          }),
        )
        // The limit is 3 seconds; a busy machine may answer later.
        expect(Math.max(...asked)).toBeLessThan(6000)
        expect(await status('/health/ready')).toBe(503)
        expect(await status('/health/live')).toBe(200)
        await begin()
        await isBack()
        await until(async () => (await status('/health/ready')) === 200)
      }
    } finally {
      await app.stop()
      await server.stop()
    }
  },
)

test.skipIf(!canRunNodes)(
  'a service waits for an unreachable database, says so, and starts or ends by itself; a wrong password ends it',
  async () => {
    const server = await startPostgres()
    try {
      const node = { ...(await freshNodeSettings()), database_url: await server.createDatabase() }
      await server.kill()
      const data = ['--data', `${tempDir()}/data`]
      const env = { ...nodeVariables(node), IZVOR_DISK_FLOOR: '0' }
      const port = freePort()
      const serve = ['serve', ...data, '--port', String(port)]
      const start = () =>
        Bun.spawn(commandOf(serve), {
          env: { ...withoutSettings(), ...env },
          stdout: 'ignore',
          stderr: 'ignore',
        })
      const status = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
        return answer?.status ?? 0
      }
      const ended = start()
      await until(async () => (await status('/health/ready')) === 503)
      expect([await status('/health/live'), await status('/v1')]).toEqual([200, 503])
      ended.kill('SIGTERM')
      expect(await ended.exited).toBe(0)
      const command = await izvor(['keys', 'list', ...data], { env })
      expect([command.code, command.stderr]).toEqual([1, expect.stringContaining('cannot be reached')])

      const service = start()
      await until(async () => (await status('/health/ready')) === 503)
      await server.start()
      await until(async () => (await status('/health/ready')) === 200)
      service.kill('SIGTERM')
      expect(await service.exited).toBe(0)
      const IZVOR_DATABASE_URL = node.database_url.replace('tests', 'others')
      const wrong = await izvor(serve, { env: { ...env, IZVOR_DATABASE_URL } })
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('refuses the password')])
      expect(wrong.stderr).not.toContain('others')
    } finally {
      await server.stop()
    }
  },
)
