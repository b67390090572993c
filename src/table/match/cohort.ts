/** Persons as numbers: what each has at a locus is one of the distinct typings of the run there. */
import { HlaError, type Note } from '../../errors.ts'
import { type LocusSide, type Matcher, type MatchRules, newMatcher } from '../../engine/match/match.ts'
import type { TypedLocus, TypedPlace } from '../../engine/match/person.ts'
import type { ResolvedTyping } from '../../engine/match/resolve.ts'
import { readErrorRecord } from '../../operations/error-record.ts'
import { type PlaceRecord, readPlaceRecord } from '../../operations/answers/matching.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { PersonNumbers } from '../person-index.ts'
import { type PersonRow, typingAnswers } from './read-persons.ts'

/** Number of a side that is untyped. */
export const UNTYPED = 0

export interface Sides {
  readonly matcher: Matcher
  /** Asks what the typings of these persons may be. Call it before `numberOf`. */
  readonly learn: (persons: readonly PersonRow[]) => Promise<void>
  /** Number of what a person has at a locus. */
  readonly numberOf: (locus: string, typed: TypedLocus | undefined) => number
  readonly side: (locus: string, number: number) => LocusSide
  /** Notes on distinct typings, by code. */
  readonly notes: () => ReadonlyMap<string, readonly Note[]>
}

export interface SidesRequest {
  readonly executor: Executor
  /** Input of `match` without the persons. */
  readonly input: Readonly<Record<string, unknown>>
  readonly rules: MatchRules
}

/** @throws {HlaError} an error that every typing would meet */
export async function openSides({ executor, input, rules }: SidesRequest): Promise<Sides> {
  const question = (text: string) => ({
    operation: 'match',
    input: { ...input, patient: text, donor: text, places: true },
  })
  const answers = typingAnswers(executor, question, readAnswer)
  const matcher = newMatcher(rules, await hasEpitopes(executor, question(OF_DPB1)), answers.get)
  const distinct = new Map<string, DistinctSides>()
  const sidesOf = (locus: string) => {
    const own = distinct.get(locus) ?? { numbers: new Map<string, number>(), all: [UNTYPED_SIDE] }
    distinct.set(locus, own)
    return own
  }
  return {
    matcher,
    learn: answers.learn,
    numberOf(locus, typed) {
      if (typed === undefined) return UNTYPED
      const { numbers, all } = sidesOf(locus)
      const key = keyOf(typed)
      let number = numbers.get(key)
      if (number === undefined) {
        number = all.push(matcher.side(locus, typed)) - 1
        numbers.set(key, number)
      }
      return number
    },
    side: (locus, number) => distinct.get(locus)?.all[number] ?? UNTYPED_SIDE,
    notes: () => notesOf([...distinct.values()].flatMap(({ all }) => all)),
  }
}

function notesOf(sides: readonly LocusSide[]): ReadonlyMap<string, readonly Note[]> {
  const byCode = new Map<string, Map<string, Note>>()
  for (const note of sides.flatMap((side) => (side.kind === 'typed' ? side.notes : []))) {
    const own = byCode.get(note.code) ?? new Map<string, Note>()
    byCode.set(note.code, own.set(note.message, note))
  }
  return new Map([...byCode].map(([code, notes]) => [code, [...notes.values()]]))
}

async function hasEpitopes(executor: Executor, question: OperationRequest): Promise<boolean> {
  const ready = await readyExecutor(executor, () => [question])
  // output of match
  const { loci } = ready.execute(question.operation, question.input) as Answer
  return loci[0]?.tce?.verdict !== 'no-tce'
}

const UNTYPED_SIDE: LocusSide = { kind: 'untyped' }

/** An allele of every release, whose answer says whether the release has epitope groups. */
const OF_DPB1 = 'DPB1*04:01'

interface DistinctSides {
  readonly numbers: Map<string, number>
  readonly all: LocusSide[]
}

/** Output of match. */
interface Answer {
  readonly loci: readonly { readonly tce?: { readonly verdict?: string } }[]
  readonly places?: readonly PlaceRecord[]
  readonly problems?: readonly Readonly<Record<string, unknown>>[]
}

function readAnswer(output: unknown): ResolvedTyping {
  // output of match
  const { places: [place] = [], problems: [problem] = [] } = output as Answer
  if (problem !== undefined) throw readErrorRecord(problem, 'bad-syntax')
  if (place !== undefined) return readPlaceRecord(place)
  throw new HlaError('remote', 'the service does not say what a typing may be: it needs a newer hla')
}

/** Equal for the same typings, in whatever order. */
function keyOf(typed: TypedLocus): string {
  if (typed.kind === 'unread') return `!${typed.error.message}`
  const genotypes = typed.genotypes.map(([one, other]) => {
    const [a, b] = [placeKey(one), placeKey(other)]
    return a < b ? `${a}+${b}` : `${b}+${a}`
  })
  return `${typed.isTypedOnce ? '1' : '2'}${genotypes.toSorted().join('|')}`
}

function placeKey(place: TypedPlace): string {
  return place.kind === 'typing' ? place.text : `!${place.kind}`
}

/** Persons in the order in which they were added, with a number for each locus. */
export class Cohort extends PersonNumbers {
  readonly ids: string[] = []

  add(id: string, numbers: ReadonlyMap<string, number>): void {
    const person = this.ids.push(id) - 1
    this.hold(person)
    for (const [locus, number] of numbers) this.set(locus, person, number)
  }

  get size(): number {
    return this.ids.length
  }
}
