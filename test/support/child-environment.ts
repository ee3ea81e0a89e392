/** This process's environment without our settings, so that a program under test gets none of the tests' settings. */
export function withoutSettings(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('IZVOR_'),
  )
  return Object.fromEntries(kept)
}
