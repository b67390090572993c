/** Interprets operands that are not typings: files, releases, genes of a blend.  [disk] */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { advice, command, shellWord } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import type { Operation } from '../../operations/operation.ts'
import { recognizeShape } from '../../table/words/typing-shape.ts'
import { closest } from '../closest.ts'
import { matchesFiles } from '../run/table/input-files.ts'
import { isMethodName, parsesAsTyping } from './typing-words.ts'

export interface TypedLine {
  readonly operation: Operation
  readonly operands: readonly string[]
  readonly options: {
    readonly input?: readonly string[]
    readonly release: string
    readonly method?: readonly string[]
    readonly from?: string
  }
  /** The whole command line. */
  readonly words: readonly string[]
}

export interface Guess {
  readonly operands: readonly string[]
  /** Options to set, by commander attribute name. */
  readonly options: Readonly<Record<string, unknown>>
  /** Suggested command line. */
  readonly words: readonly string[]
  /** A second sentence for the note that names the command line. */
  readonly remark?: string
}

/**
 * Guess for the operands; undefined when they need none.
 * @throws {HlaError} usage, not-found — with the suggested command line
 */
export function guessOperands(typed: TypedLine): Guess | undefined {
  return methodAsRelease(typed) ?? genesOfBlend(typed) ?? releasesOfLift(typed) ?? files(typed)
}

/** `-r lgx`, as in py-ard. */
function methodAsRelease({ operation, operands, options, words }: TypedLine): Guess | undefined {
  const { release, method } = options
  if (!('reduction_method' in operation.input.properties) || !isMethodName(release)) return undefined
  const at = words.findIndex((word, place) => word === release && words[place - 1] === '-r')
  const line = at < 0 ? words : words.with(at - 1, '-m')
  if (method !== undefined || at < 0)
    throw new HlaError('unknown-release', `${release} is a reduction method, not a release`, {
      offending: release,
      hint: advice`the method is given with -m: ${command(operation.name, { args: ['-m', release, ...operands] })}`,
    })
  return { operands, options: { release: 'active', method: [release] }, words: line }
}

const GENES = ['DRB3', 'DRB4', 'DRB5']

/** `blend DRB1… DRB3…` */
function genesOfBlend({ operation, operands, words }: TypedLine): Guess | undefined {
  if (operation.name !== 'blend' || operands.length < 2) return undefined
  const typings = operands.flatMap((operand) => operand.split('+'))
  const of = (gene: string) => typings.filter((typing) => readLocus(withoutPrefix(typing)) === gene)
  const genotype = of('DRB1')
  const others = GENES.map((gene) => [gene.toLowerCase(), of(gene).join('+')] as const)
  const named = others.filter(([, text]) => text !== '')
  const count = genotype.length + GENES.flatMap(of).length
  if (genotype.length !== 2 || named.length === 0 || count !== typings.length) return undefined
  const operand = genotype.join('+')
  const rest = words.slice(1).filter((word) => !operands.includes(word))
  return {
    operands: [operand],
    options: Object.fromEntries(named),
    words: [operation.name, operand, ...named.flatMap(([name, text]) => [`--${name}`, text]), ...rest],
  }
}

const RELEASE = /^v?(?:\d\.\d{1,2}(?:\.\d)?|\d{4})$/

/** `lift 3.29.0 A*24:329`, or with the release to translate to. */
function releasesOfLift({ operation, operands, options, words }: TypedLine): Guess | undefined {
  const { from } = options
  if (operation.name !== 'lift' || from !== undefined) return undefined
  const releases = operands.filter((operand) => RELEASE.test(operand))
  const [old, to, another] = releases
  const typings = operands.filter((operand) => !releases.includes(operand))
  if (old === undefined || another !== undefined || typings.length === 0) return undefined
  const named = to === undefined ? ['--from', old] : ['--from', old, '--to', to]
  return {
    operands: typings,
    options: { from: old, ...(to === undefined ? {} : { to }) },
    words: [operation.name, ...named, ...words.slice(1).filter((word) => !releases.includes(word))],
  }
}

function files(typed: TypedLine): Guess | undefined {
  const { operation, operands, options, words } = typed
  const isFile = (operand: string) =>
    operand === '-' ||
    (!parsesAsTyping(operand) &&
      (existsSync(operand) || (recognizeShape(operand) !== 'named' && matchesFiles(operand))))
  const paths = operands.filter(isFile)
  const others = operands.filter((operand) => !isFile(operand))
  const inputs = options.input ?? []
  if (paths.length === 0) {
    if (inputs.length === 1 && others.length === 1) refuseOutput(typed, others)
    refuseMissing(operation, others, words)
    return undefined
  }
  if (others.length > 0) {
    if (paths.length === 1) refuseOutput(typed, others)
    throw new HlaError('usage', `${paths[0] ?? ''} is a file, and ${others[0] ?? ''} is a typing`, {
      hint: advice`to read a file, use -i without typings: ${command(operation.name, { args: ['-i', paths[0] ?? ''] })}`,
    })
  }
  const line = words.flatMap((word, at) => {
    const isLast = paths.includes(word) && words.lastIndexOf(word) === at
    return isLast ? ['-i', word] : [word]
  })
  return {
    operands: [],
    options: { input: [...inputs, ...paths] },
    words: line,
    ...(paths.length + inputs.length > 1
      ? { remark: 'a pattern in quotes, or a folder, is read as well' }
      : {}),
  }
}

const FILE_NAME = /\.(?:csv|tsv|tab|txt|psv|dat|xlsx?|ods|gz|zst|zip|xml|hml|json|jsonl|ped|pop|gl)$/i

function looksLikeFile(word: string): boolean {
  return !word.includes('*') && (FILE_NAME.test(word) || /^[.~]{0,2}\/./.test(word) || /[\w.]\/$/.test(word))
}

/** `redux in.csv out.csv`: hla writes only files named with `-o`. */
function refuseOutput(
  { operation, operands, options, words }: TypedLine,
  [output = '']: readonly string[],
): void {
  if (!FILE_NAME.test(output) || output.includes('*')) return
  const [input = ''] = options.input ?? operands
  const rest = words.slice(1).filter((word, at, all) => !operands.includes(word) && word !== '-i' && all[at - 1] !== '-i') // prettier-ignore
  throw new HlaError('usage', `${output} is neither a typing nor an existing file`, {
    offending: output,
    hint: advice`to write it: ${command(operation.name, { args: ['-i', input, '-o', output, ...rest] })}`,
  })
}

/** Reports a misspelt file name as missing, not as an invalid typing. */
function refuseMissing({ name }: Operation, operands: readonly string[], words: readonly string[]): void {
  const missing = operands.find(looksLikeFile)
  if (missing === undefined || operands.some(parsesAsTyping)) return
  const [near] = closest(basename(missing), namesIn(dirname(missing)), 1)
  const path = near === undefined ? undefined : join(dirname(missing), near)
  const args = words.slice(1).flatMap((word) => (word === missing ? ['-i', path ?? ''] : [word]))
  throw new HlaError('not-found', `there is no file or folder ${missing}`, {
    offending: missing,
    hint: path === undefined ? undefined : advice`did you mean ${command(name, { args })}`,
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Maximum number of words shown of a command line; the first files of an expanded shell pattern are enough. */
const MAX_WORDS = 12

/** `hla redux -i donors.csv`; addresses without their user names and passwords. */
export function commandLine(typed: readonly string[]): string {
  const words = typed.map((word) => word.replace(/\/\/[^/\s]*@/, '//'))
  const texts = words.length > MAX_WORDS + 1 ? [...words.slice(0, MAX_WORDS).map(shellWord), '…'] : words.map(shellWord) // prettier-ignore
  return ['hla', ...texts].join(' ')
}
