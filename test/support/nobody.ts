/** Another user, for what root may do and others may not. */

export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
const setpriv = Bun.which('setpriv')
/** What a command is started through, to be refused what this user is refused; nothing where the tests are not run by root. */
export const asNobody = isRoot
  ? [setpriv ?? 'setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  : []

/** Root may do everything; another user may not even read the program where it lies below a private folder. */
export const canBeRefused =
  !isRoot ||
  (setpriv !== null &&
    Bun.spawnSync([...asNobody, 'test', '-r', process.env.IZVOR_BINARY ?? import.meta.path]).exitCode === 0)
