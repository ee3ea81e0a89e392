import { createContext } from 'preact'
import { NO_TROUBLE, type Trouble } from './refusals.ts'

interface FormFacts {
  readonly id: string
  readonly trouble: Trouble
  /** False for a form that the browser itself sends; its hints say what an empty field means. */
  readonly hasScript?: boolean
}

/** What fields know about their form. */
export const FormContext = createContext<FormFacts>({ id: '', trouble: NO_TROUBLE })
