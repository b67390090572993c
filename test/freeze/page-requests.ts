/**
 * The requests of the pages to their services: each call that sends one, and the values and functions that it names.
 * [disk]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { packagePath } from '../../src/package-root.ts'

/** Functions that send requests: the browser's, both pages', and the administration page's. */
const SENDERS = new Set(['fetch', 'send', 'sendAny', 'ask', 'call', 'callAt', 'callAll', 'askAdmin'])

/** Matches constants of the file, and values with texts or members; excludes the user interface. */
const SENT = /^(?:[A-Z_]+\b|(?!.*(?:\belement|[fF]ield|byId|choice)\()[^]*['"`{])/

interface Piece {
  readonly text: string
  /** `file name` of each name it uses. */
  readonly names: readonly string[]
}

interface Span {
  readonly start: number
  readonly end: number
}

interface Pages {
  /** Calls that send requests, and questions of a batch. */
  readonly requests: Piece[]
  /** Declarations by file and name. */
  readonly declared: Map<string, Piece[]>
}

/** Sorted and distinct, one a line, so that moving code to another file changes nothing. */
export function pageRequests(folder: 'src/drive/page' | 'src/service/page'): string[] {
  const root = packagePath(folder)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const pages: Pages = { requests: [], declared: new Map() }
  for (const file of files) readPage(root, file, pages)
  const needed = new Set(pages.requests)
  for (const { names } of needed) {
    for (const name of names) for (const piece of pages.declared.get(name) ?? []) needed.add(piece)
  }
  return [...new Set([...needed].map(({ text }) => text))].toSorted((one, other) => (one < other ? -1 : 1))
}

function readPage(root: string, file: string, { requests, declared }: Pages): void {
  const source = readFileSync(join(root, file), 'utf8')
  const { program } = parseSync(file, source)
  const identifiers: { readonly at: number; readonly name: string }[] = []
  const asking: Span[] = []
  const declaring: (readonly [name: string, span: Span])[] = []
  const homes = new Map<string, string>()
  new Visitor({
    Identifier: ({ start, name }) => void identifiers.push({ at: start, name }),
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && SENDERS.has(node.callee.name)) asking.push(node)
    },
    ObjectExpression(node) {
      const isQuestion = node.properties.some(
        (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'op',
      )
      if (isQuestion) asking.push(node)
    },
    FunctionDeclaration(node) {
      if (node.id !== null) declaring.push([node.id.name, node])
    },
    VariableDeclarator(node) {
      if (node.id.type !== 'Identifier' || node.init === null) return
      if (SENT.test(source.slice(node.start, node.end))) declaring.push([node.id.name, node])
    },
    ImportDeclaration({ source: from, specifiers }) {
      if (!from.value.startsWith('.')) return
      for (const { local } of specifiers) homes.set(local.name, join(dirname(file), from.value))
    },
  }).visit(program)
  const pieceOf = ({ start, end }: Span): Piece => {
    const inside = identifiers.filter(({ at }) => at >= start && at < end)
    return {
      text: source.slice(start, end).replaceAll(/\s+/g, ' '),
      names: inside.map(({ name }) => `${homes.get(name) ?? file} ${name}`),
    }
  }
  requests.push(...asking.map(pieceOf))
  for (const [name, span] of declaring) {
    const key = `${file} ${name}`
    declared.set(key, [...(declared.get(key) ?? []), pieceOf(span)])
  }
}
