/** Another user, for tests of what only root may do. */

export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
const setpriv = Bun.which('setpriv')
/** The words before a command that run it as this user; none if the tests are not run by root. */
export const asNobody = isRoot
  ? [setpriv ?? 'setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  : []

/** Root may do everything; another user may not even read the program if it is below a private folder. */
export const canBeRefused =
  !isRoot ||
  (setpriv !== null &&
    Bun.spawnSync([...asNobody, 'test', '-r', process.env.IZVOR_BINARY ?? import.meta.path]).exitCode === 0)
