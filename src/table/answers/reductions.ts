/** Statements as what each copy may be, by a method; each is reduced once while it is remembered. */
import { advice, option } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import type { Executor } from '../../operations/executor.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { makePlace, type TypedGenotype, type TypedPlace } from '../../engine/match/sets.ts'
import { namesIn } from '../../operations/answers/matching.ts'
import { PLAIN_NAME, endsTable } from './answers.ts'
import type { Statement, Statements, TypedStatement } from './statements.ts'

export type ReducedStatement =
  | { readonly kind: 'typing'; readonly copy: TypedPlace; readonly text: string }
  | { readonly kind: 'list'; readonly genotypes: readonly TypedGenotype[]; readonly text: string }
  | { readonly kind: 'fault'; readonly error: HlaError }

export interface Reductions {
  /** Questions whose answers `get` needs for these ids. */
  readonly questions: (ids: Iterable<number>) => OperationRequest[]
  /** @throws {HlaError} an error that every other typing would meet too */
  readonly get: (id: number, executor: Executor) => ReducedStatement
  /** Drops reductions when too many are kept, or the numbers have changed. */
  readonly forget: (isChanged: boolean) => void
}

export interface ReductionRequest {
  readonly statements: () => Statements
  /** Input of the question without its typing: method, options, release of the names. */
  readonly input: Readonly<Record<string, unknown>>
  /** Release of the answers. */
  readonly release: string
  /** Name -> number, shared by both sides. */
  readonly names: Map<string, number>
}

/** Maximum characters and numbers kept. */
const MAX_KEPT = 32 * 1024 * 1024

export function newReductions(request: ReductionRequest): Reductions {
  const { statements } = request
  const known = new Map<number, ReducedStatement>()
  let size = 0
  return {
    questions(ids) {
      const asked: OperationRequest[] = []
      for (const id of new Set(ids)) {
        const statement = statements().get(id)
        if (!known.has(id) && 'glString' in statement) asked.push(makeQuestion(statement, request))
      }
      return asked
    },
    get(id, executor) {
      let found = known.get(id)
      if (found === undefined) {
        found = reduce(statements().get(id), executor, request)
        known.set(id, found)
        size += found.kind === 'fault' ? OF_FAULT : found.text.length
      }
      return found
    },
    forget(isChanged) {
      if (!isChanged && size < MAX_KEPT) return
      known.clear()
      size = 0
    },
  }
}

/** Size in characters counted for an error with its advice. */
const OF_FAULT = 1000

function makeQuestion(
  { glString, release: ofCode }: TypedStatement,
  { input, release }: ReductionRequest,
): OperationRequest {
  const { from, ...rest } = input
  // a GL String Code names its own release
  const of = ofCode ?? from
  const asked = of === undefined || of === release ? rest : { ...rest, from: of }
  return { operation: 'redux', input: { ...asked, gl_string: glString, copies: true } }
}

function reduce(statement: Statement, executor: Executor, request: ReductionRequest): ReducedStatement {
  if (statement.kind === 'fault') return { kind: 'fault', error: statement.error }
  if (!('glString' in statement)) throw new Error(`${statement.kind} is not reduced`)
  const ask = (one: TypedStatement) => {
    const { operation, input } = makeQuestion(one, request)
    // output of redux
    return executor.execute(operation, input) as ReducedCopies
  }
  const { names } = request
  try {
    const { ard, copies } = ask(statement)
    if (copies === undefined) throw withoutCopies()
    const genotypes = copies.map((typings) => readGenotype(typings, names))
    const [[copy] = []] = genotypes
    if (statement.kind === 'typing' && copy !== undefined) return { kind: 'typing', copy, text: ard }
    return { kind: 'list', genotypes, text: ard }
  } catch (error) {
    const isOfCode = statement.release !== undefined && isHlaError(error) && OF_RELEASE.has(error.code)
    const askPlainName = () => ask({ ...statement, glString: PLAIN_NAME })
    if (!isHlaError(error) || (!isOfCode && endsTable(error, askPlainName))) throw error
    return { kind: 'fault', error }
  }
}

/** Errors about the release that a GL String Code names. */
const OF_RELEASE: ReadonlySet<string> = new Set(['unknown-release', 'no-data', 'bad-request'])

export function withoutCopies(): HlaError {
  return new HlaError(
    'remote',
    'the service does not tell null alleles from others, so files cannot be compared',
    {
      hint: advice`without ${option('remote')}, the installed data answer`,
    },
  )
}

/** Output of redux. */
interface ReducedCopies {
  readonly ard: string
  readonly copies?: readonly (readonly CopyRecord[])[]
}

interface CopyRecord {
  readonly names: string
  readonly expressed: string
  readonly nulls: string
}

/** A single typing counts for both copies. */
export function readGenotype(
  [first, second = first]: readonly CopyRecord[],
  numbers: Map<string, number>,
): TypedGenotype {
  const one = readCopy(first, numbers)
  return [one, second === first ? one : readCopy(second, numbers)]
}

function readCopy(copy: CopyRecord | undefined, numbers: Map<string, number>): TypedPlace {
  const { names = '', expressed = '', nulls = '' } = copy ?? {}
  return makePlace({ names: namesIn(names), expressed: namesIn(expressed), nulls: namesIn(nulls) }, numbers)
}
