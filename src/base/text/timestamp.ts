/** RFC 3339 in UTC with whole seconds (rounded down): `2025-01-31T08:00:00Z`. */
export function formatTimestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`
}

/** The UTC day of an instant: `2025-01-31`. */
export function formatDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
