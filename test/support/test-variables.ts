/**
 * The variables `IZVOR_TEST_…` of a run. They are removed from the environment, since a program that a test starts refuses
 * unknown settings.
 */

/** Test files share no modules, but they share the process. */
const shared = globalThis as { testVariables?: Readonly<Record<string, string | undefined>> }
shared.testVariables ??= takeVariables()

export const testVariables = shared.testVariables

function takeVariables(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) => name.startsWith('IZVOR_TEST_'))
  const taken = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  for (const name of names) delete process.env[name]
  return taken
}
