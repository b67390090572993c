/** Antigens among themselves: broad and splits, associated antigens, and the XX code an antigen is written as. */
import { HlaError, isHlaError, type Note } from '../errors.ts'
import { hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import { locusOfLetters, parseAntigen } from '../nomenclature/antigen.ts'
import { malformationOf, malformedError } from '../nomenclature/grammar.ts'
import { noteOfC10 } from './designate.ts'
import { type Engine, releaseTitle } from './engine.ts'
import { starterError } from './expand/mac.ts'
import { located } from './located.ts'

/** A family of antigens (`A10`), or of first fields (`A*10`). */
export interface Splits {
  readonly broad: string
  readonly splits: readonly string[]
  readonly notes: readonly Note[]
}

/**
 * The family a name is the broad of, or else a split in; with `HLA-` when the name has it.
 * @throws {HlaError} unknown-antigen — it has neither broad nor splits; starter; as `malformationOf` for what is not a name
 */
export function splitsOf(engine: Engine, text: string): Splits {
  const malformed = malformationOf(text)
  if (malformed !== undefined) throw malformedError(malformed, text, 0)
  const prefix = hasPrefix(text) ? PREFIX : ''
  try {
    const [broad, splits] = familyOf(withoutPrefix(text), engine)
    const notes = [...notesOnAssociated([broad, ...splits], engine), ...notesOnC10(broad)]
    return { broad: prefix + broad, splits: splits.map((split) => prefix + split), notes }
  } catch (error) {
    throw isHlaError(error) ? located(error, { text, start: 0 }) : error
  }
}

/** The antigen that `antigen` is associated with (B4005: B21); itself when there is none. */
export function associatedAntigen({ release }: Engine, antigen: string): string {
  return release.facts.associated[antigen] ?? antigen
}

/** Where numbers of antigens and first fields part: serological splits of one molecular family. */
const FAMILIES: Readonly<Record<string, string>> = {
  A203: 'A*02', A210: 'A*02', B60: 'B*40', B61: 'B*40', B64: 'B*14', B65: 'B*14', B62: 'B*15', B63: 'B*15',
  B70: 'B*15', B71: 'B*15', B72: 'B*15', B75: 'B*15', B76: 'B*15', B77: 'B*15', B703: 'B*07', DR17: 'DRB1*03',
  DR18: 'DRB1*03', DR103: 'DRB1*01', DQ7: 'DQB1*03', DQ8: 'DQB1*03', DQ9: 'DQB1*03',
} // prettier-ignore

/**
 * The XX code an antigen is written as; the release need not have such a family (B4005: B*21:XX).
 * @throws {HlaError} unknown-antigen
 */
export function xxCodeOfAntigen(engine: Engine, antigen: string): string {
  const family = FAMILIES[antigen]
  const parsed = parseAntigen(associatedAntigen(engine, antigen))
  if (!engine.release.is('antigen', antigen) || parsed === undefined) throw noFamily(antigen, engine)
  return `${family ?? `${locusOfLetters(parsed.letters)}*${parsed.number.padStart(2, '0')}`}:XX`
}

function familyOf(name: string, engine: Engine): readonly [broad: string, splits: readonly string[]] {
  const { dataset, molecularBroads, broads } = engine.release.facts
  const molecular = name.includes('*')
  if (!molecular && dataset === 'starter') throw starterError(name, engine)
  const table = Object.entries(molecular ? molecularBroads : broads)
  const found = table.find(([broad]) => broad === name) ?? table.find(([, splits]) => splits.includes(name))
  if (found === undefined) throw noFamily(name, engine)
  return found
}

function noFamily(name: string, engine: Engine): HlaError {
  const { associated } = engine.release.facts
  const parent = associated[name]
  const children = associatedWith(name, engine)
  const message = engine.release.is('antigen', name)
    ? `${name} has no broad antigen and no splits`
    : `no broad or split antigen for ${name.slice(0, 60)}`
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

function notesOnAssociated(antigens: readonly string[], engine: Engine): Note[] {
  return antigens.flatMap((antigen) => {
    const associated = associatedWith(antigen, engine)
    if (associated.length === 0) return []
    const message = `associated with ${antigen} in ${releaseTitle(engine)}: ${associated.join(', ')}`
    return [{ level: 'note' as const, code: 'associated', message, offending: antigen }]
  })
}

function notesOnC10(broad: string): Note[] {
  const { note } = noteOfC10(broad)
  return note === undefined ? [] : [note]
}
