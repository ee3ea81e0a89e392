import { showCopyButtons } from '../parts/copy-buttons.ts'
import { keepQuestion } from './language-link.ts'

showCopyButtons()

keepQuestion()
