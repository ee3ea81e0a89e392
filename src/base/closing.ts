/** Closes a resource at the end of its block: `using file = closing(openSomething())`. */
export function closing<T extends { close(): void }>(opened: T): T & Disposable {
  return Object.assign(opened, { [Symbol.dispose]: () => opened.close() })
}

/** The same for a resource that takes time to close: `await using usage = closingLater(openUsage())`. */
export function closingLater<T extends { close(): Promise<void> }>(opened: T): T & AsyncDisposable {
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() })
}

/** The same for a resource with `release`. */
export function releasing<T extends { release(): void }>(taken: T): T & Disposable {
  return Object.assign(taken, { [Symbol.dispose]: () => taken.release() })
}

/** Work for the end of a block: `using _ = atEnd(() => closeSync(file))`. */
export function atEnd(work: () => void): Disposable {
  return { [Symbol.dispose]: work }
}
