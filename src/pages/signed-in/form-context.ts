import { createContext } from 'preact'
import { NO_TROUBLE, type Trouble } from './refusals.ts'

interface FormFacts {
  readonly id: string
  readonly trouble: Trouble
  /** Not of a form that the browser itself sends, whose hints say what an empty field means. */
  readonly hasScript?: boolean
}

/** What fields know of their form. */
export const FormContext = createContext<FormFacts>({ id: '', trouble: NO_TROUBLE })
