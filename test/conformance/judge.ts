/**
 * Judges an answer by a row of the corpus. Where the two differ, both are computed from the published files: ours must
 * follow our documentation, and the recorded one must follow from named habits of py-ard.
 */
import type { CorpusRow } from '../support/corpus.ts'
import { answerOfOperation } from '../support/independent/operations.ts'
import { answer, type Answer } from '../support/independent/reduce.ts'
import { type Habit, OURS, PEER, type World, worldOf } from '../support/independent/world.ts'
import { isRecorded, type Question, sortedParts } from './comparison.ts'
import { nameReason, reasonsFor } from './reasons.ts'

export interface Verdict {
  /** The two answers differ, and both are explained. */
  readonly isExcused: boolean
  /** Rows of docs/divergences.md that explain the difference; empty if the answers are equal. */
  readonly reasons: readonly string[]
  /** Faults of the answer; empty if it is right. */
  readonly faults: readonly string[]
}

const LONGEST_NAMED = 200
const GOOD: Verdict = { isExcused: false, reasons: [], faults: [] }

export function judge(question: Question, given: Answer): Verdict {
  const isSame = isRecorded(given, question)
  if (isSame && 'text' in given) return GOOD
  const { row, release } = question
  const promised = computed(row, release, OURS)
  if (!isEqual(given, promised)) return fault(`promised is ${shown(promised)}, given ${shown(given)}`)
  const peer = computed(row, release, PEER)
  if (!isPeers(peer, question))
    return fault(`recorded is ${row.output}, the peer's habits make ${shown(peer)}`)
  if (isSame) return GOOD
  // both answers are computed; the differing names of a long text have rows of their own, which name the reason
  if (row.input.length > LONGEST_NAMED) return { ...GOOD, isExcused: true }
  const reasons = reasonsBehind(question, given)
  return reasons.length === 0
    ? fault('no habit of the peer makes the difference')
    : { isExcused: true, reasons, faults: [] }
}

function fault(text: string): Verdict {
  return { ...GOOD, faults: [text] }
}

function shown(one: Answer): string {
  return 'error' in one ? `error ${one.error}` : one.text
}

export function isEqual(one: Answer, other: Answer): boolean {
  if ('error' in one) return 'error' in other && one.error === other.error
  return 'text' in other && one.text === other.text
}

/** The answer by the published files and the rules. */
export function computed(row: CorpusRow, release: string, habits: ReadonlySet<Habit>): Answer {
  const world = worldFor(release, row.config, habits)
  return row.op === 'redux'
    ? answer(row.input, row.method, world)
    : answerOfOperation(row.op, row.input, world)
}

const worlds = new Map<string, World>()

function worldFor(release: string, config: string, habits: ReadonlySet<Habit>): World {
  const key = `${release} ${config} ${[...habits].join(' ')}`
  const world = worlds.get(key) ?? worldOf(release, config, new Set(habits))
  worlds.set(key, world)
  return world
}

/** The smallest set of habits that yields the recorded answer. */
function reasonsBehind(question: Question, given: Answer): readonly string[] {
  const { row, release } = question
  const explains = (habits: readonly Habit[]) => isPeers(computed(row, release, new Set(habits)), question)
  const all = reasonsFor(row.op)
  if (!explains(all)) return []
  const needed = explains([]) ? [] : neededOf([], all, explains)
  if (needed.length === 0) return isUncomparable(shown(given)) ? ['genotype-order'] : []
  return needed.map((habit) => nameReason(habit, row, given))
}

type Explains = (habits: readonly Habit[]) => boolean

/** The `habits` that are needed besides `taken` to explain the answer; a binary search, since usually one suffices. */
function neededOf(taken: readonly Habit[], habits: readonly Habit[], explains: Explains): readonly Habit[] {
  if (habits.length < 2) return habits
  const middle = habits.length >> 1
  const [left, right] = [habits.slice(0, middle), habits.slice(middle)]
  const ofRight = explains([...taken, ...left]) ? [] : neededOf([...taken, ...left], right, explains)
  const ofLeft = explains([...taken, ...ofRight]) ? [] : neededOf([...taken, ...ofRight], left, explains)
  return [...ofLeft, ...ofRight]
}

function isPeers(peer: Answer, question: Question): boolean {
  const { row, unordered } = question
  if (isRecorded(peer, question)) return true
  if ('error' in peer || !isUncomparable(peer.text)) return false
  // py-ard cannot order names with and without a colon: depending on the order of a hash table, it raises an exception
  if (row.status === 'error') return unordered && /^(?:Value|Index)Error$/.test(row.output)
  return sortedParts(peer.text) === sortedParts(row.output)
}

/** Whether names with and without a colon, or old names of several genes, are mixed. */
function isUncomparable(text: string): boolean {
  const names = text.split(/[/|+^~]/)
  return names.length > 1 && names.some((name) => !name.includes(':'))
}
