/** The Markdown documents of the repository, parsed: prose, fences, links, anchors. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

export const ROOT = join(import.meta.dir, '../..')

export interface Fence {
  readonly document: string
  /** Number of the opening line, from 1. */
  readonly line: number
  /** The text after the backquotes. */
  readonly language: string
  readonly text: string
}

export interface MarkdownDocument {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
  readonly fences: readonly Fence[]
  /** The text without its fences. */
  readonly prose: string
  /** Targets of links, code excluded. */
  readonly links: readonly string[]
  readonly anchors: ReadonlySet<string>
}

/** The command that a shell would start: words without quotes or redirections. */
export type ShellCommand = readonly string[]

export function readDocuments(): MarkdownDocument[] {
  const tracked = [...new Glob('**/*.md').scanSync(ROOT)]
  return tracked
    .filter((path) => !/(^|\/)node_modules\/|^dist\//.test(path))
    .sort()
    .map(readDocument)
}

export function readDocument(path: string): MarkdownDocument {
  return parseDocument(path, readFileSync(join(ROOT, path), 'utf8'))
}

export function parseDocument(path: string, text: string): MarkdownDocument {
  const fences = [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    document: path,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1]!.trim(),
    text: match[2]!,
  }))
  const prose = text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '')
  const links = [...prose.replace(/`[^`\n]*`(?!\])/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    (match) => match[1]!,
  )
  return { path, text, fences, prose, links, anchors: anchorsOf(prose) }
}

/** The anchors of a document as GitHub makes them: one for each heading, and those written as `<a id="…">`. */
function anchorsOf(prose: string): Set<string> {
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
  const written = [...prose.matchAll(/<a id="([\w-]+)"><\/a>/g)].map((match) => match[1]!)
  return new Set([...headings, ...written])
}

const TOKEN =
  /\s+|#.*$|(?<end>&&|\|\||[|;(){}])|(?<redirection>\d?[<>]+&?\d?)|(?<word>(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'|;(){}<>&\\])+)/gmy

/** The commands of a line for a shell, in order. Definitions of functions give none. */
export function shellCommands(line: string): ShellCommand[] {
  if (/^\w+\(\) \{/.test(line)) return []
  const commands: string[][] = [[]]
  let skipped = false
  for (const { groups } of line.matchAll(TOKEN)) {
    if (groups?.end) commands.push([])
    if (groups?.redirection) skipped = !/\d$/.test(groups.redirection)
    if (!groups?.word) continue
    if (!skipped) commands.at(-1)!.push(groups.word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, '$1$2'))
    skipped = false
  }
  return commands.map(withoutPrefix).filter((words) => words.length > 0)
}

/** `sudo -u izvor env A=B izvor doctor` starts `izvor doctor`. */
function withoutPrefix(words: ShellCommand): ShellCommand {
  const [first, ...rest] = words
  if (first === 'sudo') return withoutPrefix(rest[0] === '-u' ? rest.slice(2) : rest)
  if (first === 'env' || /^[A-Z_]+=/.test(first ?? '')) return withoutPrefix(rest)
  return words
}
