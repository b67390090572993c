/** Random faults in `src`, of each kind equally often.  [disk] */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { randomNumbers } from '../support/random-numbers.ts'
import { hostsOf } from './switches.ts'

/**
 * A condition negated, a boundary moved, an operator or method exchanged, an `await`, a call, an assignment or an early
 * end dropped, two arguments swapped, a number, a text or a pattern changed.
 */
export type FaultKind =
  | 'condition'
  | 'operator'
  | 'method'
  | 'await'
  | 'call'
  | 'assignment'
  | 'early-end'
  | 'arguments'
  | 'number'
  | 'text'
  | 'pattern'

export interface Fault {
  readonly kind: FaultKind
  /** Path from the root of the project. */
  readonly file: string
  readonly line: number
  /** Place in the file's text. */
  readonly start: number
  readonly from: string
  readonly to: string
  /** The line where it begins, trimmed. */
  readonly text: string
}

interface Site {
  readonly kind: FaultKind
  readonly start: number
  readonly end: number
  readonly to: string
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Boundaries move, and equality is negated. */
const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '+': '-', '-': '+', '&&': '||', '||': '&&',
} // prettier-ignore

/** Not an object, which has a `toString` too. */
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
])

/** Methods whose object can stand in place of their result. */
const REFINEMENTS = ['filter', 'flat', 'normalize', 'padEnd', 'padStart', 'replace', 'replaceAll', 'slice', 'sort', 'toLowerCase', 'toReversed', 'toSorted', 'toUpperCase', 'trim', 'trimEnd'] // prettier-ignore

/** Folders of `src` with tests of their own. */
export function sourceFolders(root: string): string[] {
  const folders = (folder: string) =>
    readdirSync(join(root, 'src', folder), { withFileTypes: true })
      .filter((one) => one.isDirectory() && !['page', 'openapi'].includes(one.name))
      .map(({ name }) => join(folder, name))
  return folders('').flatMap((folder) => (folder === 'drive' ? folders('drive') : [folder]))
}

/** `most` seeded faults in files below a folder of `src`, at distinct places; only of a kind if one is given. */
export function randomFaults(
  root: string,
  folder: string,
  { most, seed, kind }: { most: number; seed: number; kind?: string | undefined },
): Fault[] {
  const random = randomNumbers(
    seed + Buffer.from(folder).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7),
  )
  const files = readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => join('src', folder, name))
  const byKind = new Map<FaultKind, { readonly file: string; readonly site: Site }[]>()
  for (const file of files)
    for (const site of sitesOf(file, readFileSync(join(root, file), 'utf8')))
      if (kind === undefined || site.kind === kind)
        byKind.set(site.kind, [...(byKind.get(site.kind) ?? []), { file, site }])
  const kinds = [...byKind.values()]
  const chosen = new Map<string, Fault>()
  for (let tries = 0; chosen.size < most && tries < 50 * most; tries += 1) {
    const sites = kinds[Math.floor(random() * kinds.length)] ?? []
    const one = sites[Math.floor(random() * sites.length)]
    if (one !== undefined) chosen.set(`${one.file}:${one.site.start}`, faultAt(root, one.file, one.site))
  }
  return [...chosen.values()]
}

function faultAt(root: string, file: string, { kind, start, end, to }: Site): Fault {
  const text = readFileSync(join(root, file), 'utf8')
  const line = text.slice(0, start).split('\n').length
  return {
    kind,
    file,
    line,
    start,
    from: text.slice(start, end),
    to,
    text: text.split('\n')[line - 1]?.trim() ?? '',
  }
}

export function withFault(text: string, { start, from, to }: Pick<Fault, 'start' | 'from' | 'to'>): string {
  return text.slice(0, start) + to + text.slice(start + from.length)
}

/** Every place in a file for a fault, in text order, where a switch can stand. */
export function sitesOf(file: string, text: string): Site[] {
  const sites: Site[] = []
  /** Literals that are no values. */
  const outside = new Set<number>()
  const piece = ({ start, end }: Span) => text.slice(start, end)
  const add = (kind: FaultKind, { start, end }: Span, to: string) => sites.push({ kind, start, end, to })
  const operator = (node: { left: Node; right: Node; operator: string }) => {
    const to = OPERATORS[node.operator]
    if (to === undefined) return
    const start = text.indexOf(node.operator, node.left.end)
    if (start >= 0 && start < node.right.start)
      add('operator', { start, end: start + node.operator.length }, to)
  }
  const condition = (test: Node) => add('condition', test, `!(${piece(test)})`)
  new Visitor({
    ImportDeclaration: ({ source }) => outside.add(source.start),
    ExportNamedDeclaration: ({ source }) => outside.add(source?.start ?? -1),
    ExportAllDeclaration: ({ source }) => outside.add(source.start),
    ImportExpression: ({ source }) => outside.add(source.start),
    TSLiteralType: ({ literal }) => outside.add(literal.start),
    Property: ({ key }) => outside.add(key.start),
    IfStatement: (node) => {
      condition(node.test)
      if (node.alternate === null && isEnd(node.consequent))
        add('early-end', node, `void (${piece(node.test)})`)
    },
    ConditionalExpression: ({ test }) => condition(test),
    BinaryExpression: operator,
    LogicalExpression: operator,
    AwaitExpression: ({ start, argument }) => add('await', { start, end: argument.start }, 'void '),
    ExpressionStatement: (node) => {
      const { expression } = node
      if (expression.type === 'AssignmentExpression')
        add('assignment', node, `void (${piece(expression.right)})`)
      if (expression.type === 'UpdateExpression')
        add('assignment', node, `void ${piece(expression.argument)}`)
      if (expression.type !== 'CallExpression') return
      // calls of imported names stay, since the compiler refuses unused imports
      const { callee, arguments: given } = expression
      add('call', node, `void [${[callee, ...given].map(piece).join(', ')}]`)
    },
    CallExpression: (node) => {
      const { callee } = node
      const [first, second] = node.arguments
      // the order of these means nothing
      const isOrdered = !['Math.min', 'Math.max'].includes(piece(callee))
      if (isOrdered && first !== undefined && second !== undefined && piece(first) !== piece(second))
        add('arguments', { start: first.start, end: second.end }, `${piece(second)}, ${piece(first)}`)
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (!callee.computed && REFINEMENTS.includes(callee.property.name))
        add('call', { start: callee.object.end, end: node.end }, '')
    },
    Literal: (node) => {
      if (outside.has(node.start)) return
      const { value } = node
      if (typeof value === 'number' && /^[\d_]+$/.test(piece(node)))
        add('number', node, value > 9 ? String(value * 2) : String(value + 1))
      if (typeof value === 'boolean') add('condition', node, String(!value))
      if (typeof value === 'string') add('text', node, value === '' ? "'x'" : "''")
      if ('regex' in node) for (const to of changedPatterns(piece(node))) add('pattern', node, to)
    },
    TemplateElement: (node) => {
      if (node.value.raw !== '')
        add(
          'text',
          {
            start: text.indexOf(node.value.raw, node.start),
            end: text.indexOf(node.value.raw, node.start) + node.value.raw.length,
          },
          '',
        )
    },
    MemberExpression: ({ property, computed }) => {
      const to = computed || property.type !== 'Identifier' ? undefined : METHODS.get(property.name)
      if (to !== undefined) add('method', property, to)
    },
  }).visit(parseSync(file, text).program)
  const hosts = hostsOf(file, text)
  return sites
    .filter((site) => hosts.of(site) !== undefined)
    .toSorted((one, other) => one.start - other.start)
}

/** Whether nothing follows a statement. */
function isEnd(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(
    last?.type ?? '',
  )
}

/** A pattern without its beginning, its end, one of its flags, and with one repetition more or less. */
function changedPatterns(pattern: string): string[] {
  const end = pattern.lastIndexOf('/')
  const [body, flags] = [pattern.slice(1, end), pattern.slice(end + 1)]
  const changed = [
    [body.replace(/^\^/, ''), flags],
    [body.replace(/(?<!\\)\$$/, ''), flags],
    [body, flags.replace(/[gi]/, '')],
    [body.replace(/(?<=[\w\])])\+(?=[^?+]|$)/, '*'), flags],
    [body.replace(/(?<=[\w\])])\*(?=[^?+]|$)/, '+'), flags],
  ]
  return changed.map(([one, of]) => `/${one}/${of}`).filter((one) => one !== pattern && !one.startsWith('//'))
}
