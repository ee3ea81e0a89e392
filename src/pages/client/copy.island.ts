/** For pages whose only scripts are copy buttons. */

import { showCopyButtons } from '../parts/copy-buttons.ts'

showCopyButtons()
