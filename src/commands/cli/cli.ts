/**
 * The process as commands see it. `run-program.ts` makes it once; commands print, ask and wait only through it and do
 * not use `process`.
 */
export interface Cli {
  /** How the program was called, for messages that name a command: `izvor`, or `bun run izvor` from the sources. */
  readonly program: string
  /** The command line that starts the program again: the executable, or the runtime and the sources. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes data to standard output. */
  readonly print: (data: string | Uint8Array) => void
  /** Whether the reader of standard output has closed it. */
  readonly readerGone: () => boolean
  /** Resolves when all output is written, so that a long output does not pile up in memory. */
  readonly drained: () => Promise<void>
  /** Writes a message for a person, with its line end, to standard error. */
  readonly note: (text: string) => void
  /** Standard error, for progress bars. */
  readonly messageStream: NodeJS.WriteStream
  /** Which of the streams are terminals. */
  readonly terminal: { readonly input: boolean; readonly output: boolean; readonly messages: boolean }
  /** False under `NO_COLOR`; a stream that is not a terminal gets no colour either way. */
  readonly colored: boolean
  /** Makes a folder the current one. @returns the former one */
  readonly enterFolder: (path: string) => string
  /** Asks a question on the terminal and waits for the answer, a line. */
  readonly ask: (question: string) => Promise<string>
  readonly now: () => Date
  /**
   * From this call on, Ctrl-C and SIGTERM no longer end the process: the first one resolves the promise, a second one
   * ends the process at once.
   */
  readonly untilStopped: () => Promise<void>
  /** Runs `work` before a second signal ends the process; it must return at once. */
  readonly beforeEnd: (work: () => void) => void
  /** From now on runs `work` at every SIGHUP, which otherwise ends the process. Windows has no SIGHUP. */
  readonly onReload: (work: () => void) => void
}
