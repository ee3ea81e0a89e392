/** What the server keeps between requests, in memory. */

import type { App } from '../app.ts'
import { PackageIndex } from '../interop/ckan/package-index.ts'
import { KeptDocuments } from '../interop/kept-documents.ts'
import { Profiles } from '../pages/dataset/profile.ts'
import type { Answers } from './answers.ts'
import { ListMemory } from './list-answer.ts'
import { OpenAccess } from './open-access.ts'
import { keyReaders, type Readers } from './readers.ts'

export interface ServerState {
  readonly answers: Answers
  /** Reading with a key, and without one. */
  readonly keyed: Readers
  readonly open: OpenAccess
  readonly lists: ListMemory
  readonly profiles: Profiles
  readonly documents: KeptDocuments
  /** For CKAN's lists and searches. */
  readonly packages: PackageIndex
}

export function openState(app: App, answers: Answers): ServerState {
  return {
    answers,
    keyed: keyReaders(app.config),
    open: new OpenAccess(app),
    lists: new ListMemory(app.config.workers),
    profiles: new Profiles(),
    documents: new KeptDocuments(app.config.workers),
    packages: new PackageIndex(),
  }
}
