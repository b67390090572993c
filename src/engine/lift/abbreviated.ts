/**
 * Translating names that stand for several alleles by their first fields (`A*01:01`, `A*01:01:01N`).
 *
 * Such a name stays what it is as long as one of its alleles stays under it; alleles that left are noted. When all have
 * left for one other prefix, that is the answer; for several, it is ambiguous.
 */
import type { Note } from '../../errors.ts'
import { countFields, cutFields } from '../../nomenclature/allele.ts'
import type { History, Spelling } from '../../reference/history/history.ts'
import { liftAccession } from './accession.ts'
import { failure, warning } from './lifted.ts'
import type { LiftOutcome } from './lifted.ts'
import { splitSuffix } from './relation.ts'

/** How many alleles or names a message lists. */
const MOST_LISTED = 3

/** Undefined when no allele is, or without `from` ever was, under that name; and for one field, which names no allele. */
export function liftAbbreviated(
  history: History,
  name: string,
  to: string,
  from?: string,
): LiftOutcome | undefined {
  const members = countFields(name) > 1 ? findMembers(history, name) : []
  const current = from ?? to
  const present = members.filter((member) => history.accessionIn(current, member.name) === member.accession)
  if (from === undefined && present.length > 0) return same(name, [])
  if (members.length === 0 || (from !== undefined && present.length === 0)) return undefined
  // from any release: the text may also be one allele's own name, of a time when it had fewer fields
  const meant = from === undefined ? [...members, ...history.ownersOf(name)] : present
  return liftMembers(history, meant, name, to)
}

/** With an expression letter, only the alleles that have it: `DRB4*01:03N` is the nulls of DRB4*01:03. */
function findMembers(history: History, name: string): Spelling[] {
  const { stem, letter } = splitSuffix(name)
  return history.spellingsUnder(`${stem}:`).filter((member) => member.name.endsWith(letter))
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

/** A note, not a warning: the answer stands, and common names like A*02:01 all have such an allele. */
function movedNote(moved: readonly string[], total: number, name: string, to: string): Note {
  const message = `${moved.length} of ${total} alleles under ${name} are elsewhere in ${to}: ${list(moved)}`
  return { level: 'note', code: 'members-moved', message, offending: name }
}

function list(names: readonly string[]): string {
  const more = names.length - MOST_LISTED
  return names.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** `full` cut to as many fields as `like` has; the expression letter stays when `like` has one or nothing was cut. */
function shorten(full: string, like: string): string {
  const cut = cutFields(full, countFields(like))
  return cut === full || splitSuffix(like).letter === '' ? cut : cut + splitSuffix(full).letter
}
