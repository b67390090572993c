/**
 * Which test files run a place of `src`: every branch and statement of a copy notes that it runs, and one whole run of the
 * tests shows by which file. A test cannot notice a fault in a place that it does not run.  [disk, process]
 */
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { wingOf } from '../support/wings.ts'
import { copyProject, MAX_BUILD_SECONDS, run } from './copy.ts'

/** What runs as one, without the regions within it. */
interface Region {
  readonly start: number
  readonly end: number
  /** What a note puts around it: `#` is the call. */
  readonly before: string
  readonly after: string
}

/** Not run where they stand, or not at all. */
const DECLARATIONS = new Set(['FunctionDeclaration', 'ImportDeclaration', 'ExportAllDeclaration', 'TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'EmptyStatement']) // prettier-ignore

/** Statements of a list, branches, right operands and bodies of functions. */
export function regionsOf(file: string, text: string): Region[] {
  const regions: Region[] = []
  const wrap = ({ start, end }: Node, before: string, after: string) =>
    regions.push({ start, end, before, after })
  const expression = (node: Node) => wrap(node, '(#,', ')')
  const list = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration'
      const own = isExport ? node.declaration : node
      if (own !== null && !DECLARATIONS.has(own.type)) wrap(node, '#;', '')
    }
  }
  const body = (node: Node | null) => {
    if (node !== null && node.type !== 'BlockStatement') wrap(node, '{#;', '}')
  }
  new Visitor({
    Program: (node) => list(node.body),
    BlockStatement: (node) => list(node.body),
    StaticBlock: (node) => list(node.body),
    SwitchCase: (node) => list(node.consequent),
    IfStatement: (node) => {
      body(node.consequent)
      body(node.alternate)
    },
    ForStatement: (node) => body(node.body),
    ForOfStatement: (node) => body(node.body),
    ForInStatement: (node) => body(node.body),
    WhileStatement: (node) => body(node.body),
    DoWhileStatement: (node) => body(node.body),
    ArrowFunctionExpression: (node) => {
      if (node.body.type !== 'BlockStatement') expression(node.body)
    },
    ConditionalExpression: (node) => {
      expression(node.consequent)
      expression(node.alternate)
    },
    LogicalExpression: (node) => {
      expression(node.right)
    },
  }).visit(parseSync(file, text).program)
  return regions
}

/** The text with a note at each region: a call with the region's number, counted from `first`. */
export function withNotes(file: string, text: string, first: number, recorder: string): string {
  const regions = regionsOf(file, text)
  const outermost = regions
    .map((region, at) => ({ ...region, number: first + at }))
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
  // where some begin or end together, the inner one begins last and ends first; ends stand before beginnings
  const inserted = [
    ...outermost.toReversed().map(({ end, after }) => ({ at: end, text: after })),
    ...outermost.map(({ start, before, number }) => ({
      at: start,
      text: before.replace('#', `noteRegion(${number})`),
    })),
  ].toSorted((one, other) => one.at - other.at)
  let [noted, from] = [noteFunction(recorder), 0]
  for (const { at, text: more } of inserted) {
    noted += text.slice(from, at) + more
    from = at
  }
  return noted + text.slice(from)
}

/** Also in a browser, where nothing is noted. On the first line, so that lines keep their numbers. */
function noteFunction(recorder: string): string {
  const path = JSON.stringify(recorder)
  const load = `globalThis.process?.getBuiltinModule?.('node:module')?.createRequire(${path})(${path})()`
  return `function noteRegion(n) { if (globalThis.noteSeen?.[n] !== 1) (globalThis.noteRecorder ??= ${load})?.(n) } `
}

export interface Reach {
  /** Test files that run a place of a file. What a browser runs is not noted: any test of those pages may run it. */
  readonly testsOf: (place: { readonly file: string; readonly start: number }) => string[]
}

/** Path -> number of its first region, and the text that was noted. */
type Noted = Readonly<Record<string, { readonly first: number; readonly hash: string }>>

/** Runs all tests of the built project in `root`, and writes what they reach into `folder`. */
export async function noteReached(root: string, folder: string): Promise<void> {
  const copy = copyProject(root)
  for (const path of [folder, join(folder, 'tests'), join(folder, 'processes')]) {
    mkdirSync(path, { recursive: true })
    // programs of another user note, too
    chmodSync(path, 0o777)
  }
  writeFileSync(join(folder, 'tests/none'), '')
  const recorder = join(folder, 'recorder.cjs')
  copyFileSync(join(root, 'test/mutants/recorder.cjs'), recorder)
  const noted: Record<string, { first: number; hash: string }> = {}
  let first = 0
  for (const file of sourcesOf(root)) {
    const text = readFileSync(join(root, file), 'utf8')
    writeFileSync(join(copy.folder, file), withNotes(file, text, first, recorder))
    noted[file] = { first, hash: hashOf(text) }
    first += regionsOf(file, text).length
  }
  const env = { HLA_TEST_REACHED: folder, HLA_TEST_CUT: 'all' }
  const steps = ['tsc -p src/tsconfig.build.json --noCheck', ...['starter', 'page', 'cli'].map((part) => `npm run --silent build:${part}`)] // prettier-ignore
  for (const step of steps) {
    const { status } = await run('npx', ['-c', step], { cwd: copy.folder, seconds: MAX_BUILD_SECONDS })
    if (status !== 0) throw new Error(`${step}: status ${status}`)
  }
  // tests that measure or read `src` fail
  await run('npx', ['vitest', 'run', '--config', 'test/vitest.config.ts'], { cwd: copy.folder, seconds: MAX_RUN_SECONDS, env }) // prettier-ignore
  writeFileSync(join(folder, 'files.json'), JSON.stringify(noted))
  copy.end()
}

/** @throws where a file of `src` is not the one that was noted */
export function readReached(root: string, folder: string): Reach {
  const noted = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Noted
  const tests = readdirSync(join(folder, 'tests'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => [decodeURIComponent(name), readFileSync(join(folder, 'tests', name))] as const)
  const testsOf = ({ file, start }: { readonly file: string; readonly start: number }) => {
    const text = readFileSync(join(root, file), 'utf8')
    const own = noted[file]
    if (own?.hash !== hashOf(text)) throw new Error(`${file} has changed since ${folder} was written`)
    const regions = regionsOf(file, text).map((region, at) => ({ ...region, number: own.first + at }))
    const [innermost] = regions
      .filter((region) => region.start <= start && start < region.end)
      .toSorted((one, other) => one.end - one.start - (other.end - other.start))
    const [, part = ''] = file.split('/')
    // a default of an argument is in no region
    const within = innermost === undefined ? regions : [innermost]
    const isInPage = (test: string) =>
      file.includes('/page/') &&
      wingOf(test) === 'pages' &&
      (part === 'web' || [part, 'web'].some((one) => test.startsWith(`test/${one}/`)))
    return tests
      .filter(([test, bytes]) => isInPage(test) || within.some(({ number }) => bytes[number] === 1))
      .map(([test]) => test)
  }
  return { testsOf }
}

/** Longer than all tests take, in many processes and with notes. */
const MAX_RUN_SECONDS = 7200

const sourcesOf = (root: string): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name))
    .toSorted()

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
