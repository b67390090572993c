/** Inputs in the names of another release, or written carelessly: the `from`, `lift` and `accept` properties of operations. */
import { HlaError, isHlaError, type Note, type Position } from '../errors.ts'
import { LENIENCIES, readLeniencies, readLeniently } from '../engine/accept.ts'
import { liftGlString } from '../engine/lift-gl-string.ts'
import { designationsOf, parseGlString, typingsOf } from '../nomenclature/gl-string.ts'
import type { History } from '../reference/history.ts'
import { parseReleaseNumber } from '../reference/release-number.ts'
import { type Knowledge, refuseStarter } from './knowledge.ts'

export const READING_PROPERTIES = {
  from: { type: 'string', description: 'release the names are from, e.g. 3.29.0' },
  lift: { type: 'boolean', description: 'names may be from any earlier release' },
  accept: {
    type: 'array',
    items: { type: 'string' },
    description: `leniencies: ${LENIENCIES.join(' ')} all`,
  },
} as const

interface Asked {
  readonly from?: string | undefined
  readonly lift?: boolean | undefined
  readonly accept?: readonly string[] | undefined
}

/** A typing as it was asked to be read. */
export interface Reading {
  readonly text: string
  /** What was read otherwise than it stands. */
  readonly notes: readonly Note[]
  /** Notes about the text read, placed in the text given. */
  readonly placed: (notes: readonly Note[]) => Note[]
}

/**
 * Answers about the text as it was asked to be read; unchanged when nothing was asked. Leniencies come first: names are
 * translated once they are names. Positions in errors are those of the text given.
 */
export function answerAsAsked<T>(
  given: string,
  asked: Asked,
  knowledge: Knowledge,
  answer: (reading: Reading) => T,
): T {
  const { text, notes } = readAsAsked(given, asked, knowledge)
  if (text === given) return answer({ text, notes, placed: (list) => [...list] })
  const place = placer(text, given)
  const placed = (list: readonly Note[]) =>
    list.map((note) => (note.position === undefined ? note : { ...note, position: place(note.position) }))
  try {
    return answer({ text, notes, placed })
  } catch (error) {
    throw isHlaError(error) ? inGivenText(error, place) : error
  }
}

/** @throws {HlaError} lift-ambiguous, deleted-allele, unknown-allele, starter, no-data, bad-request */
export function readAsAsked(
  text: string,
  { from, lift, accept }: Asked,
  knowledge: Knowledge,
): { text: string; notes: readonly Note[] } {
  const read =
    accept === undefined
      ? { text, notes: [] }
      : readLeniently(knowledge.engine(), text, readLeniencies(accept))
  if (from === undefined && lift !== true) return read
  const releases = {
    from: from === undefined ? undefined : parseReleaseNumber(from).label,
    to: knowledge.release.facts.label,
  }
  const history = requireHistory(knowledge)
  const place = placer(read.text, text)
  try {
    const lifted = liftGlString(history, read.text, releases)
    const notes = lifted.notes.map((note) =>
      note.position === undefined ? note : { ...note, position: place(note.position) },
    )
    return { text: lifted.text, notes: [...read.notes, ...notes] }
  } catch (error) {
    throw isHlaError(error) ? inGivenText(error, place) : error
  }
}

type Place = (position: Position) => Position

/** Reading changes leaves and never their number: the leaf at a position of one text is the leaf of the same rank in the other. */
function placer(read: string, given: string): Place {
  if (read === given) return (position) => position
  const [from, to] = [leafRanges(read), leafRanges(given)]
  return (position) => to[from.findIndex(([, end]) => position[0] <= end)] ?? [0, given.length]
}

function leafRanges(text: string): Position[] {
  return typingsOf(parseGlString(text))
    .flatMap(designationsOf)
    .map((leaf) => [leaf.start, leaf.start + leaf.text.length])
}

function inGivenText(error: HlaError, place: Place): HlaError {
  if (error.position === undefined) return error
  const { code, message, offending, suggestions, hint, facts } = error
  const position = place(error.position)
  return new HlaError(code, message, { offending, position, suggestions, hint, facts, cause: error })
}

/** @throws {HlaError} starter; no-data — installed without the allele lists of other releases */
export function requireHistory(knowledge: Knowledge): History {
  refuseStarter(knowledge, 'translating names between releases')
  const history = knowledge.history()
  if (history !== undefined) return history
  const hint = `hla data install ${knowledge.release.facts.label} --force --from <IMGTHLA with Allelelist_history.txt or allelelist/>`
  throw new HlaError('no-data', 'the allele lists of other releases are not installed', { hint })
}
