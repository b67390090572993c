/** Translation of one name from its release, or from any, to another release, by accession number. */
import { HlaError, type Note } from '../../errors.ts'
import {
  PREFIX,
  countFields,
  cutFields,
  hasPrefix,
  isAccession,
  withoutPrefix,
} from '../../nomenclature/allele.ts'
import type { History, Spelling } from '../../reference/history/history.ts'
import { formatRange, liftAccession, warnOfReissue } from './accession.ts'
import { type LiftOutcome, type LiftStatus, type Lifted, failure, warning } from './lifted.ts'
import { type OldNames, otherReadingNote, presentSpellings, readOldName } from '../old-names.ts'
import { splitSuffix, SUFFIXES } from './relation.ts'

export type { Lifted } from './lifted.ts'
export { liftNote } from './note.ts'

export interface LiftReleases {
  /** Omit when the name may be from any release; a name of `to` itself is then left alone. */
  readonly from?: string | undefined
  readonly to: string
  /** Old names of the release in use; without them names from before April 2010 are unknown. */
  readonly oldNames?: OldNames | undefined
}

/**
 * `name` is one leaf of a GL String; `HLA-` is kept. Groups, MACs, XX codes and antigens are returned unchanged, with a
 * note.
 * @throws {HlaError} unknown-release — the history has no such release
 */
export function liftName(history: History, name: string, releases: LiftReleases): Lifted {
  const { from, to } = releases
  requireReleases(history, releases)
  const bare = withoutPrefix(name)
  const { spelling, ...outcome } = liftAnySpelling(history, bare, releases)
  const prefix = hasPrefix(name) ? PREFIX : ''
  const result = outcome.result === null ? null : prefix + outcome.result
  const spelled = spelling === undefined ? {} : { spelling: prefix + spelling }
  return { input: name, from: from ?? 'any', to, ...outcome, result, ...spelled }
}

function liftAnySpelling(history: History, name: string, { from, to, oldNames }: LiftReleases): LiftOutcome {
  const numbered = isAccession(name) ? liftNumber(history, name, to) : undefined
  if (numbered !== undefined) return numbered
  const present = liftPresent(history, name, to, from)
  if (present !== undefined) {
    // deleted before 2010 under that name
    const exception = oldNames?.[name]
    return exception === undefined ? present : { ...present, spelling: exception }
  }
  const spellings = oldNames === undefined ? [] : presentSpellings(name, oldNames)
  const isKnown = (spelling: string) => liftPresent(history, spelling, to, from) !== undefined
  const reading = oldNames && readOldName(name, oldNames, isKnown)
  if (reading !== undefined && reading.read === undefined) {
    const message = `${name} can be ${reading.others.join(' or ')}`
    return failure('ambiguous', null, warning('lift-ambiguous', message, name))
  }
  const spelling = reading?.read
  const read = spelling === undefined ? undefined : liftPresent(history, spelling, to, from)
  if (reading === undefined || spelling === undefined || read === undefined) {
    const first = firstField(history, name)
    if (first !== undefined) return first
    const [likeliest] = spellings
    return { ...unknown(history, name, from, likeliest), ...(likeliest === undefined ? {} : { spelling: likeliest }) } // prettier-ignore
  }
  const warnings = reading.others.length === 0 ? read.warnings : [otherReadingNote(name, reading), ...read.warnings] // prettier-ignore
  return { ...read, spelling, status: UNCHANGED.has(read.status) ? 'renamed' : read.status, warnings }
}

/** Outcome for an accession number: its allele or the successor; undefined when no release has the number. */
function liftNumber(history: History, accession: string, to: string): LiftOutcome | undefined {
  const result = history.nameIn(to, accession)
  if (result !== undefined) return { accession, result, status: 'same', warnings: [] }
  const last = history.spellingsOf(accession).at(-1)?.name ?? history.deletionOfAccession(accession)?.name
  return last === undefined ? undefined : liftAccession(history, accession, last, to)
}

/** Statuses of an allele that kept its identity and name, apart from fields and letter. */
const UNCHANGED: ReadonlySet<LiftStatus> = new Set(['same', 'suffix', 'extended'])

/** undefined when none of the releases has such a name. */
function liftPresent(
  history: History,
  name: string,
  to: string,
  from: string | undefined,
): LiftOutcome | undefined {
  return untranslated(name) ?? liftAllele(history, name, to, from)
}

/** `liftName` with a cache for repeated names: a short name stands for hundreds, all examined. */
export function nameLifter(history: History, releases: LiftReleases): (name: string) => Lifted {
  const known = new Map<string, Lifted>()
  return (name) => {
    const lifted = known.get(name) ?? liftName(history, name, releases)
    known.set(name, lifted)
    return lifted
  }
}

/** @throws {HlaError} unknown-release */
export function requireReleases({ releases }: History, { from, to }: LiftReleases): void {
  const release = [from ?? to, to].find((one) => !releases.includes(one))
  if (release === undefined) return
  throw new HlaError('unknown-release', `the allele history has no release ${release}`, {
    offending: release,
    hint: `it covers ${releases.at(0)} to ${releases.at(-1)}`,
  })
}

function untranslated(name: string): LiftOutcome | undefined {
  const kind = untranslatedKind(name)
  return kind === undefined ? undefined : asItIs(name, kind)
}

/** Tried last: MICA*001 once was a complete name, and DPB1*1001 is the old spelling of DPB1*10:01. */
function firstField(history: History, name: string): LiftOutcome | undefined {
  const isFirst = /^[A-Z][A-Z0-9]*\*\d+$/.test(name) && history.hasSpellingUnder(`${name}:`)
  return isFirst ? asItIs(name, 'a first field') : undefined
}

function asItIs(name: string, kind: string): LiftOutcome {
  const message = `${name} is ${kind}, which is not translated between releases`
  return {
    accession: null,
    result: name,
    status: 'same',
    warnings: [{ level: 'note', code: 'not-lifted', message }],
  }
}

function liftAllele(
  history: History,
  name: string,
  to: string,
  from: string | undefined,
): LiftOutcome | undefined {
  const accession = history.accessionIn(from ?? to, name)
  if (accession !== undefined && from === undefined) {
    return { accession, result: name, status: 'same', warnings: formerMeanings(history, accession, name) }
  }
  if (accession !== undefined)
    return withReissue(history, liftAccession(history, accession, name, to), name, to)
  return from === undefined ? liftFromAny(history, name, to) : liftAbbreviated(history, name, to, from)
}

/** A name that is also the beginning of longer ones may stand for them: one allele's answer would be too narrow. */
function liftFromAny(history: History, name: string, to: string): LiftOutcome | undefined {
  const abbreviated = liftAbbreviated(history, name, to)
  if (abbreviated !== undefined && abbreviated.status !== 'deleted') return abbreviated
  const owners = history.ownersOf(name)
  const filed = history.deletionOf(name)?.accession
  const accessions = [...new Set(owners.map(({ accession }) => accession))]
  if (accessions.length === 0 && filed !== undefined) accessions.push(filed)
  const [only, ...more] = accessions
  if (only === undefined) return abbreviated ?? liftUnlettered(history, name, to)
  return more.length === 0 ? liftAccession(history, only, name, to) : ambiguous(owners, name)
}

/**
 * A retired name without its letter, where no list has it without: `C*12:274:02` is `C*12:274:02N`. undefined where
 * `to` has it with a letter: that name must be written in full.
 */
function liftUnlettered(history: History, name: string, to: string): LiftOutcome | undefined {
  if (splitSuffix(name).letter !== '') return undefined
  const lettered = SUFFIXES.map((letter) => name + letter)
  const isListed = history.hasSpellingUnder(name)
  if (isListed && lettered.some((one) => history.accessionIn(to, one) !== undefined)) return undefined
  const retired = lettered.flatMap((one) => {
    const owner = isListed ? history.ownersOf(one).at(-1) : undefined
    const accession = owner?.accession ?? history.deletionOf(one)?.accession
    return accession === undefined ? [] : [{ name: one, accession }]
  })
  const [last] = retired
  const isOne = new Set(retired.map(({ accession }) => accession)).size === 1
  return last !== undefined && isOne ? liftAccession(history, last.accession, last.name, to) : undefined
}

function ambiguous(owners: readonly Spelling[], name: string): LiftOutcome {
  const meanings = owners.map((owner) => `${owner.accession} in ${formatRange(owner)}`)
  return failure('ambiguous', null, warning('lift-ambiguous', `${name} was ${meanings.join(', ')}`, name))
}

function unknown(history: History, name: string, from: string | undefined, spelling = name): LiftOutcome {
  const elsewhere = history.ownersOf(spelling).map((owner) => formatRange(owner))
  const where = from === undefined ? 'any release of the allele history' : from
  const it = spelling === name ? 'it' : spelling
  const known = elsewhere.length === 0 ? '' : `; ${it} is in ${elsewhere.join(', ')}`
  return failure('unknown', null, warning('unknown-allele', `${name} is not in ${where}${known}`, name))
}

function withReissue(history: History, outcome: LiftOutcome, name: string, to: string): LiftOutcome {
  const reissues = warnOfReissue(history, outcome.accession, name, to)
  return reissues.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...reissues] }
}

/** Notes on other alleles that had this name: without `from`, the text may come from such a release. */
function formerMeanings(history: History, accession: string, name: string): Note[] {
  const others = history.ownersOf(name).filter((owner) => owner.accession !== accession)
  return others.map((other) => {
    const message = `${name} is a different allele in ${formatRange(other)} (${other.accession})`
    return warning('reissued', message, name)
  })
}

/** Kinds of names by their text behind the locus and the first field. */
const KINDS: readonly (readonly [rest: RegExp, kind: string])[] = [
  [/^(:\d+)*G$/, 'a G group'],
  [/^(:\d+)*P$/, 'a P group'],
  [/^(:\d+)+(g|ARS)$/, 'a reduced name'],
  [/^:XX$/, 'an XX code'],
  [/^:[A-Z]{2,}$/, 'a MAC'],
]

/** Kind of a name that is not translated, by its form, with an article; undefined for other names. */
function untranslatedKind(name: string): string | undefined {
  if (/^(A|Bw?|Cw?|Dw?|DR|DQ|DPw?)\d+$/.test(name)) return 'an antigen'
  const [, rest = ''] = /^[A-Z][A-Z0-9]*\*\d+(.*)$/.exec(name) ?? []
  return KINDS.find(([shape]) => shape.test(rest))?.[1]
}

/** Maximum number of alleles or names in a message. */
const MAX_LISTED = 3

/**
 * Alleles below the name stand for it; with an expression letter, only those that have it: `DRB4*01:03N` is the nulls
 * of DRB4*01:03. undefined when no allele has (or, without `from`, ever had) a longer name that begins with it; also
 * for a single field, which names no allele.
 */
function liftAbbreviated(history: History, name: string, to: string, from?: string): LiftOutcome | undefined {
  if (countFields(name) < 2) return undefined
  const { stem, letter } = splitSuffix(name)
  const under = `${stem}:`
  const isMember = (spelling: Spelling) => spelling.name.endsWith(letter)
  const isIn = (release: string) => (spelling: Spelling) =>
    isMember(spelling) && history.accessionIn(release, spelling.name) === spelling.accession
  // one is enough: a name of two fields has hundreds
  if (from === undefined && history.hasSpellingUnder(under, isIn(to))) return same(name, [])
  const members = history.spellingsUnder(under).filter(from === undefined ? isMember : isIn(from))
  if (members.length === 0) return undefined
  // without `from` the text may also be one allele's own name from a time when it had fewer fields
  const owners = from === undefined ? history.ownersOf(name) : []
  return liftMembers(history, [...members, ...owners], name, to)
}

function liftMembers(history: History, members: readonly Spelling[], name: string, to: string): LiftOutcome {
  const moved: string[] = []
  const others = new Set<string>()
  let stayed = 0
  for (const member of members) {
    const { result } = liftAccession(history, member.accession, member.name, to)
    const short = result === null ? null : shorten(result, name)
    if (short === name) stayed += 1
    else moved.push(`${member.name} (${result ?? 'deleted'})`)
    if (short !== null) others.add(short)
  }
  if (stayed > 0) return same(name, moved.length === 0 ? [] : [movedNote(moved, members.length, name, to)])
  const [only, second] = [...others]
  if (only === undefined) {
    return failure(
      'deleted',
      null,
      warning('deleted-allele', `no allele under ${name} is left in ${to}`, name),
    )
  }
  if (second === undefined) return { accession: null, result: only, status: 'renamed', warnings: [] }
  const message = `the alleles under ${name} are now under ${list([...others])}`
  return failure('ambiguous', null, warning('lift-ambiguous', message, name))
}

function same(name: string, warnings: readonly Note[]): LiftOutcome {
  return { accession: null, result: name, status: 'same', warnings }
}

/** A note, not a warning: the answer holds, and common names like A*02:01 all have such an allele. */
function movedNote(moved: readonly string[], total: number, name: string, to: string): Note {
  const message = `${moved.length} of ${total} alleles under ${name} are under other names in ${to}: ${list(moved)}`
  return { level: 'note', code: 'members-moved', message, offending: name }
}

function list(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/**
 * `full` truncated to the number of fields of `like`; the expression letter stays when `like` has one or nothing was
 * cut.
 */
function shorten(full: string, like: string): string {
  const cut = cutFields(full, countFields(like))
  return cut === full || splitSuffix(like).letter === '' ? cut : cut + splitSuffix(full).letter
}
