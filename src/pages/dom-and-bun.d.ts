/**
 * The pages need the browser's type library, which takes precedence over Bun's in the whole program. This file declares
 * what the program uses of Bun's types beyond it.
 */
interface ReadableStream {
  text(): Promise<string>
}

interface Worker {
  unref(): void
}
