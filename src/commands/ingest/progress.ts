/** Progress of an ingest: a bar with rate and remaining time on a terminal, else nothing. */

import { SingleBar } from 'cli-progress'
import type { IngestProgress } from '../../read/report/progress.ts'
import type { Cli } from '../cli/cli.ts'
import { formatAmount, formatBytes } from '../cli/print.ts'

export interface Progress {
  update(at: IngestProgress): void
  stop(): void
}

const PHASES = {
  fetching: 'fetching',
  unpacking: 'unpacking',
  converting: 'converting',
  reading: 'reading',
  typing: 'finding types',
  writing: 'writing',
} as const

/** An earlier rate reflects the start only. */
const SETTLED_MS = 500

/** A bar on standard error when that is a terminal, else one without effect. */
export function startProgress(cli: Cli, silent: boolean): Progress {
  if (silent || !cli.terminal.messages) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar({
    stream: cli.messageStream,
    clearOnComplete: true,
    // Ctrl-C ends the process at once, so the terminal must not need restoring.
    hideCursor: false,
    linewrap: true,
    format: '{bar} {line}',
    barsize: 30,
  })
  let began = cli.now().getTime()
  let phase: IngestProgress['phase'] | null = null
  let total: number | null = null
  return {
    update(at) {
      // Each phase has its own speed.
      if (phase !== null && phase !== at.phase) began = cli.now().getTime()
      phase = at.phase
      const line = describeProgress(at, cli.now().getTime() - began)
      // Standard input has no known size: the bar stays empty, the numbers grow.
      const end = at.totalBytes ?? Number.MAX_SAFE_INTEGER
      if (total === null) bar.start(end, 0, { line })
      else if (total !== end) bar.setTotal(end)
      total = end
      bar.update(at.bytes, { line })
    },
    stop: () => bar.stop(),
  }
}

/**
 * One line about an ingest under way: what it does, how fast, and how long it still reads.
 * @param elapsed since the phase began, in milliseconds
 */
export function describeProgress(
  { phase, bytes, totalBytes, rows }: IngestProgress,
  elapsed: number,
): string {
  const amount = formatAmount(rows, 'row')
  if (phase === 'writing') return `${PHASES.writing} column ${bytes + 1} of ${totalBytes ?? '?'}, ${amount}`
  if (phase === 'reading' && totalBytes !== null && bytes >= totalBytes) return `${PHASES.typing}, ${amount}`
  const rate = elapsed >= SETTLED_MS ? bytes / elapsed : 0
  const speed = rate > 0 ? `, ${formatBytes(Math.round(rate * 1000))}/s` : ''
  const left = rate > 0 && totalBytes !== null ? `, ${formatTime((totalBytes - bytes) / rate)} left` : ''
  const found = phase === 'reading' ? `, ${amount}` : ''
  return `${PHASES[phase]} ${formatBytes(bytes)}${speed}${found}${left}`
}

/** @param milliseconds rounded up to seconds: `7 s`, `2 min 5 s` */
function formatTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
