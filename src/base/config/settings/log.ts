/** Logs and metrics. */

import { setting } from '../setting.ts'
import { choice, DURATION, integer, ON_OFF, PORT } from '../setting-kinds.ts'

export const LOG_SETTINGS = {
  log_level: setting({
    kind: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    help: 'Least serious level of messages that are logged.',
  }),
  access_log: setting({
    kind: ON_OFF,
    fallback: 'off',
    help: 'Whether every answer is logged, as a line at the level info.',
  }),
  log_retention: setting({
    kind: DURATION,
    fallback: '90d',
    help: 'How long the request log goes back.',
  }),
  log_rows: setting({
    kind: integer(1000, 1_000_000_000),
    fallback: '5000000',
    unit: 'records',
    help: 'Records that the request log keeps at most; the oldest are removed first.',
  }),
  admin_port: setting({
    kind: PORT,
    fallback: null,
    flag: '--admin-port',
    help: 'TCP port for /metrics (Prometheus), on the loopback address only; by default there is none.',
  }),
}
