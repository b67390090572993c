/** Code or XX code -> its names in the release, and the members that are lost (specification 9.1). */
import { assured, HlaError, type Loss, type Note } from '../../errors.ts'
import { twoFields } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import type { MacExpansion } from '../../reference/mac-table.ts'
import { compareReleases } from '../../reference/release-number.ts'
import { compareNames } from '../../nomenclature/order.ts'
import { type Engine, hasFormerMembers, membersTitle } from '../engine.ts'
import { liftName } from '../lift/lift.ts'
import { splitSuffix } from '../lift/relation.ts'
import { findDefinition, listMacNames, type Mac, starterError } from './mac.ts'
import { coveringHistory, findSuccessor } from '../retired.ts'
import { withMissingLetter } from '../names.ts'

export interface ExpandedCode {
  /** In the order of the list, with present names of lifted members last; never empty. */
  readonly names: readonly string[]
  readonly losses: readonly Loss[]
}

/**
 * @throws {HlaError} as `findDefinition`; mac-empty-expansion — no such allele in the release
 */
export function expandMac(mac: Mac, engine: Engine): ExpandedCode {
  const { release } = engine
  const definition = findDefinition(mac, engine)
  const names = listMacNames(mac, definition)
  const valid = names.filter((name) => isOwnMember(name, engine))
  if (release.facts.dataset === 'starter' && valid.length < names.length) throw starterError(mac.text, engine)
  const expanded = withLifted(valid, listLosses(mac, definition, engine))
  if (expanded.names.length > 0) return expanded
  const message = `${mac.text} leaves no valid allele: ${mac.code} = ${shortList(definition.members, '/')}, but there is no ${shortList(names, ', ')} in ${membersTitle(engine)}`
  throw new HlaError('mac-empty-expansion', message, { offending: mac.text })
}

function withLifted(valid: readonly string[], losses: readonly Loss[]): ExpandedCode {
  const lifted = losses.flatMap((loss) => (loss.lifted === true ? (loss.present ?? []) : []))
  return { names: lifted.length === 0 ? valid : [...new Set([...valid, ...lifted])], losses }
}

/** Names of two fields of an XX code, with the release that the engine's codes are of; undefined for no such family. */
export function expandFamily(family: string, engine: Engine): ExpandedCode | undefined {
  const { release, membersOf } = engine
  if (!hasFormerMembers(engine)) {
    const names = release.listOf('xx', family)
    return names && { names, losses: [] }
  }
  const history = assured(coveringHistory(engine), 'names of another release are read by the history')
  const listed = (release.facts.molecularBroads[family] ?? [family]).flatMap((own) => [
    ...history.ownersOf(own),
    ...history.spellingsUnder(`${own}:`),
  ])
  const names = listed.flatMap(({ accession, name }) =>
    history.nameIn(assured(membersOf, 'the release of former members'), accession) === name
      ? [twoFields(name)]
      : [],
  )
  const former = [...new Set(names)].sort(compareNames)
  if (former.length === 0) return undefined
  const losses = former.flatMap((name) => findLoss(name, engine) ?? [])
  return withLifted(
    former.filter((name) => isOwnMember(name, engine)),
    losses,
  )
}

/** True for a member that stands for itself: a name of the release, and of the same alleles where the code is from. */
export function isOwnMember(name: string, engine: Engine): boolean {
  return (
    engine.release.is('allele', name) && (!hasFormerMembers(engine) || findLoss(name, engine) === undefined)
  )
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
  const valid = new Set(names.filter((name) => isOwnMember(name, engine)))
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

/** undefined for a name that stands for itself. */
function findLoss(name: string, engine: Engine): Loss | undefined {
  const { release, memory } = engine
  if (!hasFormerMembers(engine) && release.is('allele', name)) return undefined
  // the same members appear in thousands of codes
  const known = memory.losses.get(engine) ?? new Map<string, Loss | undefined>()
  memory.losses.set(engine, known)
  if (known.has(name)) return known.get(name)
  if (known.size >= MAX_KNOWN) known.clear()
  const loss = hasFormerMembers(engine) ? findFormerLoss(name, engine) : makeLoss(name, engine)
  known.set(name, loss)
  return loss
}

const MAX_KNOWN = 50_000

function makeLoss(name: string, engine: Engine): Loss {
  const present = findPresentNames(name, engine)
  if (present === undefined) return lossWithoutName(name, engine.release.facts.label, engine)
  const lifted = engine.membersOf === undefined ? {} : { lifted: true }
  return { name, kind: 'renamed', present, ...lifted }
}

/** `release`: the one whose names the members are. */
function lossWithoutName(name: string, release: string, engine: Engine): Loss {
  const history = coveringHistory(engine)
  const since = history && firstRelease(name, history)
  if (since === undefined) return { name, kind: 'unknown' }
  return compareReleases(since, release) > 0 ? { name, kind: 'later', since } : { name, kind: 'retired' }
}

/** Loss of a member with that name in an earlier release, which may be another allele's today. */
function findFormerLoss(name: string, engine: Engine): Loss | undefined {
  const { release, membersOf: from } = engine
  const history = coveringHistory(engine)
  if (history === undefined || from === undefined) return makeLoss(name, engine)
  const { status, result, warnings } = liftName(history, name, { from, to: release.facts.label })
  if (status === 'ambiguous') throw new HlaError('lift-ambiguous', warnings[0]?.message ?? name)
  if (result === null) return lossWithoutName(name, from, engine)
  // an allele that only gained fields is still below the name
  const isSame = result === name || status === 'extended'
  if (isSame && release.is('allele', name)) return undefined
  return isSame && result === name
    ? makeLoss(name, engine)
    : { name, kind: 'renamed', present: [result], lifted: true }
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
export function memberNotes(losses: readonly Loss[], text: string): Note[] {
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
