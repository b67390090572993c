/**
 * Inputs with names of another release, or in loose spelling: the `from`, `lift` and `accept` properties of
 * operations.
 */
import { command } from '../../advice.ts'
import { HlaError, isHlaError, type Note, type Position, withDetails } from '../../errors.ts'
import { LENIENCIES, readLeniencies, readLeniently } from '../../engine/accept.ts'
import { ANY_RELEASE, checkNames } from '../../engine/engine.ts'
import { liftGlString } from '../../engine/lift/lift-gl-string.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import type { History } from '../../reference/history/history.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import { aboutTyping, placeInCode, type ReadCode, readGlStringCode } from './gl-string-code.ts'
import { type Knowledge, refuseStarter } from '../knowledge.ts'

export const READING_PROPERTIES = {
  from: { type: 'string', description: 'release of the names, such as 3.29.0' },
  lift: { type: 'boolean', description: 'the names may come from any earlier release' },
  accept: {
    type: 'array',
    items: { type: 'string' },
    description: `leniencies: ${LENIENCIES.join(' ')} lenient all`,
  },
} as const

interface LiftRequest {
  readonly from?: string | undefined
  readonly lift?: boolean | undefined
  readonly accept?: readonly string[] | undefined
  /** Called for names that cannot be translated, which stay unchanged; without it the first one is thrown. */
  readonly untranslated?: (error: HlaError) => void
  /** Keep names that only gained fields. */
  readonly keepsFields?: boolean
  /** Accept names of any release, for operations that translate themselves. */
  readonly allowsFormer?: boolean
}

/** Typing after the requested reading. */
export interface Reading {
  readonly text: string
  /** Notes on text that was read in another form. */
  readonly notes: readonly Note[]
  /** Converts positions in notes from the text read to the given text. */
  readonly placed: (notes: readonly Note[]) => Note[]
  /** Converts positions in an error likewise. */
  readonly placedError: (error: HlaError) => HlaError
  /** Release named by a GL String Code. */
  readonly release?: string
  /** As in `Engine`: the reading leaves codes as they are. */
  readonly membersOf: string | undefined
}

/**
 * Answers about the text after the requested reading, or unchanged without a request.
 * Leniencies are applied before translation, which needs valid names. Positions in errors refer to the given text. The
 * release in a GL String Code has precedence over the request.
 */
export function answerWithOptions<T>(
  given: string,
  asked: LiftRequest,
  knowledge: Knowledge,
  answer: (reading: Reading) => T,
): T {
  const code = readGlStringCode(given)
  return code === undefined
    ? answerGlString(given, asked, knowledge, answer)
    : answerCode(code, asked, knowledge, answer)
}

function answerCode<T>(
  code: ReadCode,
  asked: LiftRequest,
  knowledge: Knowledge,
  answer: (reading: Reading) => T,
): T {
  const { glString, release, notes } = code
  const { from: _, lift: __, untranslated, ...others } = asked
  const isOwn = release === knowledge.release.facts.label || asked.allowsFormer === true
  const place = placeInCode(code)
  const placed = (list: readonly Note[]) => list.map((note) => inGivenText(note, place))
  const placedError = (error: HlaError) => errorInGivenText(error, place)
  const lifting: LiftRequest = {
    ...others,
    ...(isOwn ? {} : { from: release }),
    ...(untranslated === undefined ? {} : { untranslated: (error) => untranslated(placedError(error)) }),
  }
  const inCode = (reading: Reading) =>
    answer({
      text: reading.text,
      release,
      membersOf: reading.membersOf,
      notes: [...notes, ...placed(reading.notes)],
      placed: (list) => placed(reading.placed(list)),
      placedError: (error) => placedError(reading.placedError(error)),
    })
  return aboutTyping(code, () => {
    try {
      return answerGlString(glString, lifting, knowledge, inCode)
    } catch (error) {
      throw isHlaError(error) ? placedError(error) : error
    }
  })
}

function answerGlString<T>(
  given: string,
  asked: LiftRequest,
  knowledge: Knowledge,
  answer: (reading: Reading) => T,
): T {
  checkNames(given, { limit: knowledge.mostNames ?? 0, isOperators: true })
  const { text, notes } = readWithOptions(given, asked, knowledge)
  const membersOf = releaseOfMembers(asked, knowledge)
  if (text === given) {
    return answer({ text, notes, membersOf, placed: (list) => [...list], placedError: (error) => error })
  }
  const place = placer(text, given)
  const placed = (list: readonly Note[]) => list.map((note) => inGivenText(note, place))
  const placedError = (error: HlaError) => errorInGivenText(error, place)
  try {
    return answer({ text, notes, membersOf, placed, placedError })
  } catch (error) {
    throw isHlaError(error) ? placedError(error) : error
  }
}

function releaseOfMembers({ from, lift }: LiftRequest, { release }: Knowledge): string | undefined {
  if (from === undefined) return lift === true ? ANY_RELEASE : undefined
  const { label } = parseReleaseNumber(from)
  return label === release.facts.label ? undefined : label
}

/** @throws {HlaError} lift-ambiguous, deleted-allele, unknown-allele, starter, no-data, bad-request */
export function readWithOptions(
  text: string,
  { from, lift, accept, untranslated, keepsFields, allowsFormer }: LiftRequest,
  knowledge: Knowledge,
): { text: string; notes: readonly Note[] } {
  const isLifted = from !== undefined || lift === true
  const history = isLifted || allowsFormer === true ? requireHistory(knowledge) : undefined
  const isFormer = history && ((name: string) => wasName(history, name))
  const read =
    accept === undefined
      ? { text, notes: [] }
      : readLeniently({ engine: knowledge.engine(), isFormer }, text, readLeniencies(accept))
  if (history === undefined || !isLifted) return read
  const releases = {
    from: from === undefined ? undefined : parseReleaseNumber(from).label,
    to: knowledge.release.facts.label,
    oldNames: knowledge.release.facts.oldNames,
  }
  const place = placer(read.text, text)
  try {
    const lifted = liftGlString(history, read.text, {
      ...releases,
      keepsFields,
      failed: untranslated && ((error) => untranslated(errorInGivenText(error, place))),
    })
    const notes = lifted.notes.map((note) => inGivenText(note, place))
    return { text: lifted.text, notes: [...read.notes, ...notes] }
  } catch (error) {
    throw isHlaError(error) ? errorInGivenText(error, place) : error
  }
}

/** True for the name of an allele in any release, or a prefix of some. */
export function wasName(history: History, name: string): boolean {
  return history.ownersOf(name).length > 0 || history.hasSpellingUnder(`${name}:`)
}

type PlaceInText = (position: Position) => Position

/**
 * Maps positions from the text read to the given text. Reading changes leaves but not their number, so leaves
 * correspond by index.
 */
function placer(read: string, given: string): PlaceInText {
  if (read === given) return (position) => position
  const [from, to] = [listLeaves(read), listLeaves(given)]
  const placed = (offset: number, isEnd: boolean): number => {
    const rank = from.findIndex(({ start, text }) => offset <= start + text.length)
    const [leaf, other] = [from[rank], to[rank]]
    if (leaf === undefined || other === undefined) return isEnd ? given.length : 0
    const inner = offset - leaf.start
    // the same operator separates leaves in both texts
    if (inner <= 0 || leaf.text === other.text) return other.start + inner
    return isEnd || inner === leaf.text.length ? other.start + other.text.length : other.start
  }
  return ([start, end]) => [placed(start, false), placed(end, true)]
}

function inGivenText(note: Note, place: PlaceInText): Note {
  return note.position === undefined ? note : { ...note, position: place(note.position) }
}

function errorInGivenText(error: HlaError, place: PlaceInText): HlaError {
  return error.position === undefined ? error : withDetails(error, { position: place(error.position) })
}

/** @throws {HlaError} starter; no-data — installed without the allele lists of other releases */
export function requireHistory(knowledge: Knowledge): History {
  refuseStarter(knowledge, 'translating names between releases')
  const history = knowledge.history()
  if (history !== undefined) return history
  const hint = command('data install', {
    args: [knowledge.release.facts.label],
    form: '--force --from <IMGTHLA with Allelelist_history.txt or allelelist/>',
  })
  throw new HlaError('no-data', 'the allele lists of other releases are not installed', { hint })
}
