/** Code -> its names in the release, and the members that are lost (specification 9.1). */
import { HlaError, type Loss, type Note } from '../../errors.ts'
import { twoFields } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { type Engine, releaseTitle } from '../engine.ts'
import { splitSuffix } from '../lift/relation.ts'
import { findDefinition, listMacNames, type Mac, starterError } from './mac.ts'
import { coveringHistory, findSuccessor } from '../retired.ts'
import { withMissingLetter } from '../names.ts'

export interface ExpandedMac {
  /** In the order of the list, with present names of lifted members last; never empty. */
  readonly names: readonly string[]
  readonly losses: readonly Loss[]
}

/**
 * @throws {HlaError} as `findDefinition`; mac-empty-expansion — no such allele in the release
 */
export function expandMac(mac: Mac, engine: Engine): ExpandedMac {
  const { release } = engine
  const definition = findDefinition(mac, engine)
  const names = listMacNames(mac, definition)
  const valid = names.filter((name) => release.is('allele', name))
  if (release.facts.dataset === 'starter' && valid.length < names.length) throw starterError(mac.text, engine)
  const losses = listLosses(mac, definition, engine)
  const lifted = losses.flatMap((loss) => (loss.lifted === true ? (loss.present ?? []) : []))
  if (valid.length + lifted.length > 0)
    return { names: lifted.length === 0 ? valid : [...new Set([...valid, ...lifted])], losses }
  const message = `${mac.text} leaves no valid allele: ${mac.code} = ${shortList(definition.members, '/')}, but there is no ${shortList(names, ', ')} in ${releaseTitle(engine)}`
  throw new HlaError('mac-empty-expansion', message, { offending: mac.text })
}

/** Codes may stand for, and lose, hundreds of alleles. */
function shortList(names: readonly string[], separator: string): string {
  return names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(separator)}${separator}…`
    : names.join(separator)
}

const MAX_NAMED = 4

/**
 * Losses of a code, in the order of its list. The numbers of a generic code stand behind any first field: one that no
 * list has in the family cannot be lost (B*44:01 was retired before the first list), nor can a renamed member whose
 * alleles another member has.
 */
export function listLosses(mac: Mac, definition: MacExpansion, engine: Engine): Loss[] {
  const names = listMacNames(mac, definition)
  const losses = names.flatMap((name) => findLoss(name, engine) ?? [])
  if (losses.length === 0) return losses
  const valid = new Set(names.filter((name) => engine.release.is('allele', name)))
  return losses.filter(
    (loss) =>
      (!definition.generic || wasListed(loss, engine)) &&
      loss.present?.every((name) => isUnder(name, valid)) !== true,
  )
}

function wasListed({ name, kind }: Loss, engine: Engine): boolean {
  const history = coveringHistory(engine)
  if (kind !== 'renamed' || history === undefined) return kind !== 'unknown'
  return firstRelease(name, history) !== undefined
}

/** True when the name, or two fields of it, is among the names. */
function isUnder(name: string, names: ReadonlySet<string>): boolean {
  const { stem, letter } = splitSuffix(name)
  const short = twoFields(stem)
  return [name, short, short + letter].some((one) => names.has(one))
}

/** undefined for a name of the release. */
function findLoss(name: string, engine: Engine): Loss | undefined {
  const { release, memory } = engine
  if (release.is('allele', name)) return undefined
  // the same members appear in thousands of codes
  const known = memory.losses.get(engine) ?? new Map<string, Loss>()
  memory.losses.set(engine, known)
  const found = known.get(name)
  if (found !== undefined) return found
  if (known.size >= MAX_KNOWN) known.clear()
  const loss = makeLoss(name, engine)
  known.set(name, loss)
  return loss
}

const MAX_KNOWN = 50_000

function makeLoss(name: string, engine: Engine): Loss {
  const present = findPresentNames(name, engine)
  if (present !== undefined) {
    const lifted = engine.liftsMembers === true ? { lifted: true } : {}
    return { name, kind: 'renamed', present, ...lifted }
  }
  const { label } = engine.release.facts
  const history = coveringHistory(engine)
  const since = history && firstRelease(name, history)
  if (since === undefined) return { name, kind: 'unknown' }
  return compareReleases(since, label) > 0 ? { name, kind: 'later', since } : { name, kind: 'retired' }
}

/** Successor by the lists of other releases, else the alleles of a short null, else the name with its missing letter. */
function findPresentNames(name: string, engine: Engine): readonly string[] | undefined {
  const successor = findSuccessor(name, engine)
  if (successor !== undefined) return [successor]
  const lettered = withMissingLetter(name, engine)
  return engine.release.listOf('shortNull', name) ?? (lettered === name ? undefined : [lettered])
}

/** First release that lists the name, or alleles under it. */
function firstRelease(name: string, history: History): string | undefined {
  const { stem, letter } = splitSuffix(name)
  const releases = history.spellingsUnder(stem).flatMap((spelling) => {
    const one = splitSuffix(spelling.name)
    const isUnder = one.stem === stem || one.stem.startsWith(`${stem}:`)
    return isUnder && (letter === '' || letter === one.letter) ? [spelling.first] : []
  })
  return releases.sort(compareReleases)[0]
}

/** One note for each kind of loss. */
export function memberNotes(losses: readonly Loss[], { text }: Mac): Note[] {
  return MEMBER_NOTES.flatMap(([kind, code]): Note | Note[] => {
    const own = losses.filter((loss) => loss.kind === kind)
    const [first] = own
    if (first === undefined) return []
    const fate = `${own.length === 1 ? 'is' : 'are'} ${lossFate(first)} ${first.lifted === true ? 'in' : 'of'} ${text}`
    return {
      level: first.lifted === true ? 'note' : 'warning',
      code,
      message: `${shortList(own.map(lossText), ', ')}, and ${fate}`,
      offending: text,
      losses: own,
    }
  })
}

/** Codes of the notes. */
export const MEMBER_NOTES = [
  ['renamed', 'renamed-member'],
  ['retired', 'retired-member'],
  ['later', 'later-member'],
  ['unknown', 'unknown-member'],
] as const satisfies readonly (readonly [Loss['kind'], string])[]

/** The reason, as a clause: `B*14:78N is B*14:78 now`. */
export function lossText({ name, kind, present = [], since = '' }: Loss): string {
  if (kind === 'renamed') return `${name} is ${present.join('/')} now`
  if (kind === 'later') return `${name} is first named in ${since}`
  return kind === 'retired' ? `${name} is no longer listed` : `${name} is not listed`
}

/** Treatment of the member, as the end of a sentence. */
export function lossFate({ lifted }: Loss): string {
  return lifted === true ? 'read so' : 'left out'
}
