/** Relations of antigens: broad and splits, associated antigens, and the XX code of an antigen. */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import { hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import { findDrb345, findLettersLocus, parseAntigen } from '../nomenclature/antigen.ts'
import { findMalformation, malformedError } from '../nomenclature/grammar.ts'
import { findAntigen, isOf2026 } from './antigen-levels.ts'
import { notesOnC10, spellingNotes } from './designate.ts'
import { type Engine, releaseTitle } from './engine.ts'
import { starterError } from './expand/mac.ts'
import { locateError } from './locate-error.ts'
import { adviseOnAntigen, unknownAntigen } from './unknown-antigen.ts'

/** Family of antigens (`A10`), or of first fields (`A*10`). */
export interface Splits {
  readonly broad: string
  readonly splits: readonly string[]
  /** Associated antigens of the broad antigen and of each split; empty for other families. */
  readonly associated: Readonly<Record<string, readonly string[]>>
  readonly notes: readonly Note[]
}

/**
 * Finds the family of a name, which is its broad antigen or one of its splits; the answer has `HLA-` if the name has it.
 * With `isAssociated`, the family is an antigen and those associated with it: the antigen takes the place of the broad
 * antigen, the associated ones that of the splits.
 * @throws {HlaError} unknown-antigen — it has no such family; starter; as `findMalformation` for a malformed name
 */
export function findSplits(engine: Engine, text: string, isAssociated = false): Splits {
  const malformed = findMalformation(text)
  if (malformed !== undefined) throw malformedError(malformed, text, 0)
  const prefix = hasPrefix(text) ? PREFIX : ''
  try {
    const name = withoutPrefix(text)
    const antigen = findAntigen(name, engine.release) ?? name
    const [broad, splits] = isAssociated ? findAssociated(antigen, engine) : findFamily(antigen, engine)
    const associated = isAssociated ? [] : listAssociated([broad, ...splits], engine)
    const notes = [
      ...spellingNotes(name, antigen, engine),
      ...notesOnAssociated(associated, engine),
      ...notesOnC10(broad),
    ]
    return {
      broad: prefix + broad,
      splits: splits.map((split) => prefix + split),
      associated: Object.fromEntries(
        associated.map(([one, all]) => [prefix + one, all.map((other) => prefix + other)]),
      ),
      notes,
    }
  } catch (error) {
    throw isHlaError(error) ? locateError(error, { text, start: 0 }) : error
  }
}

/** Antigens whose number differs from the first field: serological splits of one molecular family. */
const FAMILIES: Readonly<Record<string, string>> = {
  A203: 'A*02', A210: 'A*02', B60: 'B*40', B61: 'B*40', B64: 'B*14', B65: 'B*14', B62: 'B*15', B63: 'B*15',
  B70: 'B*15', B71: 'B*15', B72: 'B*15', B75: 'B*15', B76: 'B*15', B77: 'B*15', B703: 'B*07', DR17: 'DRB1*03',
  DR18: 'DRB1*03', DR103: 'DRB1*01', DQ7: 'DQB1*03', DQ8: 'DQB1*03', DQ9: 'DQB1*03',
} // prettier-ignore

/**
 * XX code of an antigen; the release need not have such a family (Cw9: C*09:XX).
 * @throws {HlaError} unknown-antigen, starter; as `findMalformation` for a malformed name
 */
export function findXxCode(engine: Engine, text: string): string {
  const malformed = findMalformation(text)
  if (malformed !== undefined) throw malformedError(malformed, text, 0)
  const { release } = engine
  const name = withoutPrefix(text)
  if (release.facts.dataset === 'starter') throw locateError(starterError(name, engine), { text, start: 0 })
  const antigen = findAntigen(name, release)
  const parsed =
    antigen === undefined ? undefined : parseAntigen(release.facts.associated[antigen] ?? antigen)
  if (antigen === undefined || parsed === undefined)
    throw locateError(unknownAntigen(name, engine), { text, start: 0 })
  const family =
    FAMILIES[antigen] ??
    familyOfAllele(antigen, engine) ??
    `${findLettersLocus(parsed.letters)}*${parsed.number.padStart(2, '0')}`
  return `${hasPrefix(text) ? PREFIX : ''}${family}:XX`
}

/** Family of an antigen of 2026, named after an allele: B4005 after B*40:05, whatever antigen it is associated with. */
function familyOfAllele(antigen: string, { release }: Engine): string | undefined {
  const { letters, number } = parseAntigen(antigen) ?? { letters: '', number: '' }
  if (number.length !== 4 || !isOf2026(release)) return undefined
  const other = findDrb345(antigen)
  // DR5202 is of DRB3*02
  const family =
    other === undefined ? `${findLettersLocus(letters)}*${number.slice(0, 2)}` : `${other}*${number.slice(2)}`
  return release.listOf('xx', family) === undefined ? undefined : family
}

function findAssociated(
  name: string,
  engine: Engine,
): readonly [parent: string, associated: readonly string[]] {
  const { dataset, associated } = engine.release.facts
  if (dataset === 'starter') throw starterError(name, engine)
  const parent = associated[name] ?? name
  const all = associatedWith(parent, engine)
  if (all.length > 0) return [parent, all]
  const message = `no antigen is associated with ${name.slice(0, 60)}, nor it with another`
  throw new HlaError('unknown-antigen', message, { offending: name })
}

function findFamily(name: string, engine: Engine): readonly [broad: string, splits: readonly string[]] {
  const { dataset, molecularBroads, broads } = engine.release.facts
  const molecular = name.includes('*')
  if (!molecular && dataset === 'starter') throw starterError(name, engine)
  const table = Object.entries(molecular ? molecularBroads : broads)
  const find = (one: string) =>
    table.find(([broad]) => broad === one) ?? table.find(([, splits]) => splits.includes(one))
  // A2403 is associated with A24, which is a split of A9
  const parent = engine.release.facts.associated[name]
  const found = find(name) ?? find(parent ?? '')
  if (found !== undefined) return found
  const own = parent ?? name
  // A2 and A0203: with the names of 2026 most antigens have associated ones and no splits
  if (isOf2026(engine.release) && associatedWith(own, engine).length > 0) return [own, []]
  throw noFamily(name, engine)
}

function noFamily(name: string, engine: Engine): HlaError {
  const { associated } = engine.release.facts
  const parent = associated[name]
  const children = associatedWith(name, engine)
  const message = engine.release.is('antigen', name)
    ? `${name} has no broad antigen and no splits`
    : `no broad or split antigen for ${name.slice(0, 60)}`
  if (!engine.release.is('antigen', name) && parent === undefined) {
    return new HlaError('unknown-antigen', message, { offending: name, ...adviseOnAntigen(name, engine) })
  }
  return new HlaError('unknown-antigen', message, {
    offending: name,
    suggestions: parent === undefined ? [] : [parent],
    hint:
      parent === undefined
        ? children.length === 0
          ? undefined
          : `antigens associated with ${name}: ${children.join(', ')}`
        : `${name} is associated with ${parent}`,
  })
}

function associatedWith(antigen: string, { release }: Engine): string[] {
  return Object.entries(release.facts.associated).flatMap(([one, other]) => (other === antigen ? [one] : []))
}

type Associated = readonly [antigen: string, associated: readonly string[]]

/** Those antigens that have associated ones. */
function listAssociated(antigens: readonly string[], engine: Engine): Associated[] {
  return antigens
    .map((antigen) => [antigen, associatedWith(antigen, engine)] as const)
    .filter(([, associated]) => associated.length > 0)
}

function notesOnAssociated(all: readonly Associated[], engine: Engine): Note[] {
  return all.map(([antigen, associated]) => {
    const message = `associated with ${antigen} in ${releaseTitle(engine)}: ${associated.join(', ')}`
    return { level: 'note', code: 'associated', message, offending: antigen }
  })
}
