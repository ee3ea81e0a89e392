/** The machine and the programs that a run's figures belong to. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { CURL } from './beside-bench.ts'
import { SQLITE } from './ingest-bench.ts'
import { DUCKDB } from './peers/duckdb.ts'
import { run } from './process.ts'

export interface Machine {
  readonly processor: string
  readonly cores: number
  /** The caches of one core, such as `L2 Unified 1024K`; empty where the system does not say (Linux does). */
  readonly caches: readonly string[]
  readonly memoryGb: number
  readonly system: string
  /** By program; null where it is not installed. */
  readonly versions: Readonly<Record<string, string | null>>
}

export async function describeMachine(): Promise<Machine> {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    caches: cachesOf('/sys/devices/system/cpu/cpu0/cache'),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    versions: {
      Bun: Bun.version,
      DuckDB: DUCKDB,
      sqlite3: await versionOf(SQLITE),
      curl: await versionOf(CURL),
    },
  }
}

export function writeMachine({ processor, cores, caches, memoryGb, system, versions }: Machine): string {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'not installed'}`)
  return [
    `${cores} cores of ${processor}, each with ${caches.join(', ') || 'unknown caches'}; ${memoryGb} GB, ${system}`,
    programs.join(', '),
  ].join('\n')
}

function cachesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  const of = (index: string, fact: string) => readFileSync(join(folder, index, fact), 'utf8').trim()
  return readdirSync(folder)
    .filter((name) => name.startsWith('index'))
    .toSorted()
    .map((index) => `L${of(index, 'level')} ${of(index, 'type')} ${of(index, 'size')}`)
}

async function versionOf(program: string | null): Promise<string | null> {
  if (program === null) return null
  return /\d+(\.\d+)+/.exec((await run([program, '--version'])).output)?.[0] ?? null
}
