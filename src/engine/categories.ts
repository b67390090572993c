/** Category of each name of a typing in a catalogue, under the name that the catalogue has. */
import type { Note, Position } from '../errors.ts'
import { countFields, cutFields, withoutGroupLetter } from '../nomenclature/allele.ts'
import type { Catalogue, Category } from '../reference/catalogues.ts'
import type { History } from '../reference/history/history.ts'
import type { Engine } from './engine.ts'
import { liftName } from './lift/lift.ts'
import { splitSuffix } from './lift/relation.ts'

/** Name of a typing, without `HLA-`. */
export interface CategorizedName {
  readonly name: string
  /** Place of the name, or of the code that covers it. */
  readonly position: Position
  /** Name in the catalogue; undefined for none. */
  readonly listed: string | undefined
  /** In the order of the catalogue's populations; empty for a name that it lacks. */
  readonly categories: readonly Category[]
}

/** From the most common; the last is for names that the catalogue lacks. */
export const CATEGORY_WORDS = ['C', 'CWD', 'I', 'WD', 'R', 'none'] as const
export type CategoryWord = (typeof CATEGORY_WORDS)[number]

export function mostCommon(words: readonly CategoryWord[]): CategoryWord {
  return CATEGORY_WORDS.find((word) => words.includes(word)) ?? 'none'
}

/**
 * Published name for `name`: itself, the name that its allele had in the release of the catalogue, or the same for fewer
 * fields, down to two. An expression letter stays.
 */
export function findListed(catalogue: Catalogue, name: string, engine: Engine): string | undefined {
  const isList = (text: string) => catalogue.categoriesOf(text) !== undefined
  // a group is published, or it is not
  if (withoutGroupLetter(name) !== name) return isList(name) ? name : undefined
  const { letter } = splitSuffix(name)
  const history = historyWith(catalogue, engine)
  for (let fields = countFields(name); fields >= 2; fields -= 1) {
    const level = fields === countFields(name) ? name : cutFields(name, fields) + letter
    if (isList(level) && isSameAllele(catalogue, level, engine, history)) return level
    const former = history && formerName(catalogue, level, engine, history)
    if (former !== undefined && isList(former)) return former
  }
  return undefined
}

/** Note on a name that the catalogue has in another form, or that was another allele's; empty for none. */
export function listedNotes(catalogue: Catalogue, name: string, listed: string | undefined): Note[] {
  const { name: title, release } = catalogue
  const note = (code: string, message: string): Note => ({ level: 'note', code, message, offending: name })
  if (listed === name) return []
  if (catalogue.categoriesOf(name) !== undefined)
    return [
      note('reissued', `${title} lists ${name} for a different allele, which had this name in ${release}`),
    ]
  if (listed === undefined) return []
  if (splitSuffix(name).stem.startsWith(`${splitSuffix(listed).stem}:`))
    return [note('fewer-fields', `${title} does not list ${name}; the category is that of ${listed}`)]
  return [note('renamed-allele', `${title} lists ${name} by its name in ${release}, ${listed}`)]
}

/** History of names, when it has both releases. */
function historyWith({ release }: Catalogue, { history, release: own }: Engine): History | undefined {
  const known = history?.()
  return known?.releases.includes(release) && known.releases.includes(own.facts.label) ? known : undefined
}

function formerName(
  { release }: Catalogue,
  name: string,
  { release: own }: Engine,
  history: History,
): string | undefined {
  const { accession, result } = liftName(history, name, { from: own.facts.label, to: release })
  if (result === null) return undefined
  // the first fields of a null allele are not its name
  const isItsName = accession !== null || splitSuffix(name).letter !== '' || splitSuffix(result).letter === ''
  return isItsName ? result : undefined
}

/** False for a name of the release that another allele had when the catalogue was made. */
function isSameAllele(
  { release }: Catalogue,
  name: string,
  { release: own }: Engine,
  history: History | undefined,
): boolean {
  const now = own.facts.label
  const former = history?.accessionIn(release, name)
  if (history === undefined || former === undefined) return true
  const owner = history.accessionIn(now, name)
  if (owner !== undefined) return owner === former
  const { stem } = splitSuffix(name)
  const isBeginning = history.hasSpellingUnder(`${stem}:`, (one) => history.nameIn(now, one.accession) === one.name) // prettier-ignore
  return !isBeginning || history.nameIn(now, former)?.startsWith(`${stem}:`) === true
}
