/** How many lines each function of a source text has. */

import { parseSync } from 'oxc-parser'

interface FunctionLength {
  /** Its own name, that of what it is assigned to, or of the function that it is an argument of. */
  readonly name: string
  /** Where it begins; from 1. */
  readonly line: number
  /** Lines from its first to its last, including the functions inside it. */
  readonly lines: number
}

/** A node of the syntax tree (ESTree). Which fields it has besides depends on its type. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/**
 * The functions of a text of TypeScript, methods and arrow functions included, in the order in which they begin.
 * @throws Error when the text is not TypeScript
 */
export function measureFunctions(file: string, text: string): FunctionLength[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)]
  const lineAt = (offset: number) => lineStarts.findLastIndex((start) => start <= offset) + 1
  const found: FunctionLength[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined) => {
    if (FUNCTIONS.includes(node.type)) {
      const line = lineAt(node.start)
      found.push({
        name: nameOf(node) ?? nameOf(parent) ?? 'function',
        line,
        lines: lineAt(node.end - 1) - line + 1,
      })
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(program as unknown as SyntaxNode, undefined)
  return found
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The name that a node gives itself, or to the function inside it. */
function nameOf(node: SyntaxNode | undefined): string | undefined {
  const named = [node?.id, node?.key, node?.left, node?.callee].find(isNode)
  if (named === undefined) return undefined
  if (typeof named.name === 'string') return named.name
  return isNode(named.property) ? nameOf({ ...named, id: named.property }) : undefined
}
