/**
 * What a command sees of the place it was started in. `main.ts` makes it from the process once; commands print, ask
 * and wait through it only, so none of them knows of `process`.
 */
export interface Cli {
  /** How the program was called, for messages that name a command: `izvor`, or `bun run izvor` from the sources. */
  readonly program: string
  /** How it is started again: the executable, and in front of the sources the runtime. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes data, to standard output. */
  readonly print: (text: string) => void
  /** Fulfils when all that was printed has left, so that a long output waits for its reader and not in memory. */
  readonly drained: () => Promise<void>
  /** Writes a message for a person, with its line end, to standard error. */
  readonly note: (text: string) => void
  /** Where messages go, for what draws on it by itself. */
  readonly messageStream: NodeJS.WritableStream
  /** Which of the streams a person is looking at. */
  readonly terminal: { readonly input: boolean; readonly output: boolean; readonly messages: boolean }
  /** False under `NO_COLOR`; a stream that is no terminal gets no colour either way. */
  readonly colored: boolean
  /** Puts a question on the terminal and waits for the line that answers it. */
  readonly ask: (question: string) => Promise<string>
  readonly now: () => Date
  /**
   * From this call on Ctrl-C and SIGTERM no longer end the process: the first one fulfils the promise, a second one
   * ends it at once.
   */
  readonly untilStopped: () => Promise<void>
}
