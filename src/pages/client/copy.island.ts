/** For pages that have nothing to run but copy buttons. */

import { showCopyButtons } from './copy-buttons.ts'

showCopyButtons()
