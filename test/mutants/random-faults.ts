/**
 * Random faults in `src`: a negated condition, a moved boundary, a dropped call or `await`, a changed constant.  [disk]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { randomNumbers } from '../support/random-numbers.ts'

export interface Fault {
  /** Path from the root of the project. */
  readonly file: string
  readonly line: number
  readonly from: string
  readonly to: string
  /** The line where it begins, trimmed. */
  readonly text: string
  /** The whole file with the fault. */
  readonly source: string
}

interface Site {
  readonly start: number
  readonly end: number
  readonly to: string
}

/** Boundaries move, and equality is negated. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '+': '-', '-': '+', '&&': '||', '||': '&&',
} // prettier-ignore

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  trim: 'toString',
}

/** Folders of `src` with tests of their own. */
export function wings(root: string): string[] {
  const folders = (folder: string) =>
    readdirSync(join(root, 'src', folder), { withFileTypes: true })
      .filter((one) => one.isDirectory() && !['page', 'openapi'].includes(one.name))
      .map(({ name }) => join(folder, name))
  return folders('').flatMap((wing) => (wing === 'drive' ? folders('drive') : [wing]))
}

/** `most` seeded faults in files below a wing, at distinct places. */
export function randomFaults(
  root: string,
  wing: string,
  { most, seed }: { most: number; seed: number },
): Fault[] {
  const random = randomNumbers(
    seed + Buffer.from(wing).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7),
  )
  const files = readdirSync(join(root, 'src', wing), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join('src', wing, name))
  const sites = files.flatMap((file) =>
    sitesOf(file, readFileSync(join(root, file), 'utf8')).map((site) => ({ file, site })),
  )
  const chosen = new Map<string, Fault>()
  for (let tries = 0; chosen.size < most && tries < 50 * most && sites.length > 0; tries += 1) {
    const one = sites[Math.floor(random() * sites.length)]
    if (one !== undefined) chosen.set(`${one.file}:${one.site.start}`, faultAt(root, one.file, one.site))
  }
  return [...chosen.values()]
}

function faultAt(root: string, file: string, { start, end, to }: Site): Fault {
  const text = readFileSync(join(root, file), 'utf8')
  const line = text.slice(0, start).split('\n').length
  return {
    file,
    line,
    from: text.slice(start, end),
    to,
    text: text.split('\n')[line - 1]?.trim() ?? '',
    source: text.slice(0, start) + to + text.slice(end),
  }
}

/** Every place in a file for a fault, in text order. */
export function sitesOf(file: string, text: string): Site[] {
  const sites: Site[] = []
  const piece = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
  const whole = ({ start, end }: { start: number; end: number }, to: string) => sites.push({ start, end, to })
  const operator = (node: { left: Node; right: Node; operator: string }) => {
    const to = OPERATORS[node.operator]
    if (to === undefined) return
    const start = text.indexOf(node.operator, node.left.end)
    if (start >= 0 && start < node.right.start) sites.push({ start, end: start + node.operator.length, to })
  }
  const condition = (test: Node) => whole(test, `!(${piece(test)})`)
  new Visitor({
    IfStatement: ({ test }) => condition(test),
    ConditionalExpression: ({ test }) => condition(test),
    BinaryExpression: operator,
    LogicalExpression: operator,
    AwaitExpression: ({ start, argument }) => sites.push({ start, end: argument.start, to: 'void ' }),
    ExpressionStatement: (node) => {
      if (node.expression.type !== 'CallExpression') return
      // calls of imported names stay, since the compiler refuses unused imports
      const { callee, arguments: given } = node.expression
      whole(node, `void [${[callee, ...given].map(piece).join(', ')}]`)
    },
    Literal: (node) => {
      if (typeof node.value === 'number' && /^[\d_]+$/.test(piece(node)))
        whole(node, node.value > 9 ? String(node.value * 2) : String(node.value + 1))
      if (typeof node.value === 'boolean') whole(node, String(!node.value))
    },
    MemberExpression: ({ property, computed }) => {
      const to = computed || property.type !== 'Identifier' ? undefined : METHODS[property.name]
      if (to !== undefined) whole(property, to)
    },
  }).visit(parseSync(file, text).program)
  return sites.toSorted((one, other) => one.start - other.start)
}
