/**
 * A file of `src` with several faults, each behind a switch: `isPut(7) ? fault : sound`. One build serves all of them, in all
 * programs and threads that a test starts; what is put in now is read from a folder (switch.cjs).
 */
import { type Node, parseSync } from 'oxc-parser'

interface Span {
  readonly start: number
  readonly end: number
}

/** What is chosen as a whole: the smallest expression, or the whole statement, that holds a place. */
interface Host extends Span {
  readonly isStatement: boolean
}

interface Change extends Span {
  readonly to: string
}

export interface Hosts {
  /** undefined where no switch can stand. */
  readonly of: (change: Change) => Host | undefined
  /** Statements of lists that are expressions: one that begins with a bracket would go on with the line before. */
  readonly statements: readonly number[]
}

/** Parts that are not values: names, targets, and a method with the object that its call needs. */
const NO_VALUES: Readonly<Record<string, readonly string[]>> = {
  AssignmentExpression: ['left'],
  AssignmentPattern: ['left'],
  UpdateExpression: ['argument'],
  CallExpression: ['callee'],
  NewExpression: ['callee'],
  ForInStatement: ['left'],
  ForOfStatement: ['left'],
  VariableDeclarator: ['id'],
  ArrowFunctionExpression: ['params'],
  FunctionExpression: ['id', 'params'],
  FunctionDeclaration: ['id', 'params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  MethodDefinition: ['key', 'value'],
  PropertyDefinition: ['key'],
  CatchClause: ['param'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  LabeledStatement: ['label'],
  TaggedTemplateExpression: ['tag', 'quasi'],
}

/** Their parts cannot be replaced one by one. */
const NO_PARENTS =
  /^(?:Import|Export(?!Default)|ArrayPattern|ObjectPattern|RestElement|ChainExpression|MetaProperty)|^TS(?!AsExpression|SatisfiesExpression)/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

export function hostsOf(file: string, text: string): Hosts {
  const hosts: Host[] = []
  const statements: number[] = []
  /** `isLink`: a link of `a?.b.c`, which ends as a whole. */
  const visit = (node: Node, parent: Node, key: string, isLink: boolean): void => {
    const { type, start, end } = node
    const isExpression = type === 'ExpressionStatement'
    if (isExpression && /^(?:Program|BlockStatement|StaticBlock|SwitchCase)$/.test(parent.type))
      statements.push(start)
    if (isExpression || type === 'IfStatement') hosts.push({ start, end, isStatement: true })
    else if (!isLink && isValue(node, parent, key)) hosts.push({ start, end, isStatement: false })
    for (const [name, value] of Object.entries(node)) {
      const isNext =
        type === 'ChainExpression' ||
        (isLink && (name === 'object' || name === 'callee' || type === 'TSNonNullExpression'))
      for (const one of [value].flat()) if (isNode(one)) visit(one, node, name, isNext)
    }
  }
  const { program } = parseSync(file, text)
  for (const one of program.body) visit(one, program, 'body', false)
  hosts.sort((one, other) => one.end - one.start - (other.end - other.start))
  const of = ({ start, end, to }: Change) => {
    const isWhole = (host: Host) => host.isStatement && host.start === start && host.end === end
    const around = hosts.filter((host) => host.start <= start && end <= host.end)
    // `super` can only be called
    if (to.includes('[super')) return undefined
    return around.find(isWhole) ?? around.find(({ isStatement }) => !isStatement)
  }
  return { of, statements }
}

function isValue({ type }: Node, parent: Node, key: string): boolean {
  if (!/Expression$|^(?:Literal|Identifier|TemplateLiteral)$/.test(type) || NO_PARENTS.test(parent.type))
    return false
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed
  if (parent.type === 'Property')
    return key === 'value' && parent.kind === 'init' && !parent.method && !parent.shorthand
  if (parent.type === 'UnaryExpression') return parent.operator !== 'delete' && parent.operator !== 'typeof'
  return NO_VALUES[parent.type]?.includes(key) !== true
}

/** `faults`: by number, at distinct places. `folder`: of switch.cjs. Lines keep no numbers. */
export function withSwitches(
  file: string,
  text: string,
  faults: ReadonlyMap<number, Change>,
  folder: string,
): string {
  const hosts = hostsOf(file, text)
  const byHost = new Map<Host, string>()
  for (const [number, change] of faults) {
    const host = hosts.of(change)
    if (host === undefined) throw new Error(`${file}: no switch can stand at ${change.start}`)
    const changed = text.slice(host.start, change.start) + change.to + text.slice(change.end, host.end)
    const choice = host.isStatement
      ? `if (isPut(${number})) { ${changed}\n} else `
      : `isPut(${number}) ? (${changed}\n) : `
    byHost.set(host, (byHost.get(host) ?? '') + choice)
  }
  // of those that begin or end together, the outer one begins first and ends last: a statement, then the longer one
  const inserted = [...byHost].flatMap(([{ start, end, isStatement }, choices]) => {
    const size = end - start + (isStatement ? 0.5 : 0)
    return [
      { at: start, rank: -size, text: isStatement ? `{ ${choices}{ ` : `(${choices}(` },
      // ends stand before beginnings
      { at: end, rank: size - 1e9, text: isStatement ? '\n} }' : '\n))' },
    ]
  })
  const separators = hosts.statements.map((at) => ({ at, rank: -text.length - 1, text: ';' }))
  let [switched, from] = [putFunction(folder), 0]
  for (const one of [...inserted, ...separators].toSorted((a, b) => a.at - b.at || a.rank - b.rank)) {
    switched += text.slice(from, one.at) + one.text
    from = one.at
  }
  return switched + text.slice(from)
}

/** In a browser nothing is put in. Loaded at once, as long as no test has put another `process` in its place. */
function putFunction(folder: string): string {
  const program = JSON.stringify(`${folder}/switch.cjs`)
  const load = `globalThis.faultSwitch ??= globalThis.process?.getBuiltinModule?.('node:module')?.createRequire(${program})(${program})(${JSON.stringify(folder)}) ?? (() => false)`
  return `${load}; function isPut(n) { return (${load})(n) } `
}
