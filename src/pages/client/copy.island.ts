import { showCopyButtons } from '../parts/copy-buttons.ts'

showCopyButtons()
