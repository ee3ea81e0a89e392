/**
 * Accounts on the engine of the run: in a file, or with `IZVOR_TEST_NODES=on` in PostgreSQL. Tests of verbs run unchanged
 * on both. Use it inside a test.
 */

import { onTestFinished } from 'bun:test'
import { openPlace, type TestAccounts } from './accounts-place.ts'
import { testsNodes } from './node-settings.ts'
import { sharedPostgres } from './postgres.ts'
import { tempDataDir } from './temp-dir.ts'

export const onPostgres = testsNodes

/** Fresh accounts, closed at the end of the test. */
export async function openTestAccounts(): Promise<TestAccounts> {
  const opened = await makeTestAccounts(tempDataDir().accountsDb)
  onTestFinished(() => opened.close())
  return opened
}

/** Fresh accounts, which the caller closes. @param path of the file, if they are in one */
export async function makeTestAccounts(path: string): Promise<TestAccounts> {
  return openPlace(onPostgres ? await (await sharedPostgres()).createDatabase() : path)
}
