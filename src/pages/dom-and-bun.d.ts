/**
 * The pages are typed with the browser's library, which comes before Bun's in the whole program; here is what Bun has
 * beyond it and the program uses.
 */
interface ReadableStream {
  text(): Promise<string>
}

interface Worker {
  unref(): void
}
