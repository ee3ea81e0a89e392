import { showCopyButtons } from '../parts/copy-buttons.ts'
import './language-link.ts'

showCopyButtons()
