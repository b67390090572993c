/**
 * What a row of the corpus says about an answer. Where the two differ, both are computed from the published files: ours must be
 * what our documentation promises, the recorded one what the peer's habits make of it, and those habits are named.
 */
import type { CorpusRow } from '../support/corpus.ts'
import { answerOfOperation } from '../support/independent/operations.ts'
import { answer, type Answer } from '../support/independent/reduce.ts'
import { type Habit, OURS, PEER, type World, worldOf } from '../support/independent/world.ts'
import { isRecorded, type Question, sortedParts } from './comparison.ts'
import { nameReason, reasonsFor } from './reasons.ts'

export interface Verdict {
  /** The two answers differ, and both are as they should be. */
  readonly isExcused: boolean
  /** Rows of docs/divergences.md that explain the difference; none where there is no difference. */
  readonly reasons: readonly string[]
  /** What is wrong; empty when nothing is. */
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
  // both answers are computed: what made a long text differ is named where its names stand alone
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

/** What the published files and the rules make of it. */
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

/** The fewest habits that make the recorded answer. */
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

/** Of `habits`, which explain it beside those `taken` and do not without: halves first, for mostly it is one alone. */
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
  // the peer has no order for names with and without a colon: it ends in an exception, or not, by the order of a hash table
  if (row.status === 'error') return unordered && /^(?:Value|Index)Error$/.test(row.output)
  return sortedParts(peer.text) === sortedParts(row.output)
}

/** Names with and without a colon together, or more than one gene's old names. */
function isUncomparable(text: string): boolean {
  const names = text.split(/[/|+^~]/)
  return names.length > 1 && names.some((name) => !name.includes(':'))
}
