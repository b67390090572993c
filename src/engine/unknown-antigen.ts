/** Error for an unknown name in the form of an antigen, with suggestions. */
import { HlaError } from '../errors.ts'
import { isAccession } from '../nomenclature/allele.ts'
import {
  findLettersLocus,
  formatWhoSpelling,
  parseAntigen,
  parseWhoSpelling,
  type WhoSpelling,
} from '../nomenclature/antigen.ts'
import { broadOf, findAntigen, isOf2026 } from './antigen-levels.ts'
import { type Engine, releaseTitle } from './engine.ts'

/** Not used for the starter set, which lacks some antigens. */
export function unknownAntigen(name: string, engine: Engine): HlaError {
  if (isAccession(name)) {
    const message = `${name} is an accession number, not a name`
    return new HlaError('unknown-allele', message, { offending: name })
  }
  const message = `${name.slice(0, 60)} is not an antigen of ${releaseTitle(engine)}`
  return new HlaError('unknown-antigen', message, { offending: name, ...adviseOnAntigen(name, engine) })
}

interface AntigenAdvice {
  readonly suggestions?: readonly string[]
  readonly hint?: string
}

export function adviseOnAntigen(name: string, engine: Engine): AntigenAdvice {
  const parsed = parseAntigen(name)
  if (parsed === undefined || name.length > MAX_ANTIGEN_LENGTH) return {}
  const { release } = engine
  const who = parseWhoSpelling(name)
  if (who !== undefined) return adviseOnSplit(who, engine)
  const { letters, number } = parsed
  const locus = findLettersLocus(letters)
  // C7 for Cw7
  const withW = `${letters}w${number}`
  if (release.is('antigen', withW)) return { suggestions: [withW] }
  const allele = `${locus}*${number.slice(0, 2)}:${number.slice(2)}`
  if (number.length === 4 && release.is('allele', allele)) {
    if (isOf2026(release)) return { suggestions: [allele] }
    const hint = `the nomenclature report of 2026 names antigens after alleles: ${name} belongs to ${allele} in releases from 3.64.0 on`
    return { suggestions: [allele], hint }
  }
  const family = `${locus}*${number.padStart(2, '0')}`
  if (number.length > 2 || release.listOf('xx', family) === undefined) return {}
  const hint = `${family}:XX stands for every ${family} allele`
  return { suggestions: [`${family}:XX`], hint }
}

function adviseOnSplit({ split, broad }: WhoSpelling, engine: Engine): AntigenAdvice {
  const { release } = engine
  const antigen = findAntigen(split, release)
  // A9(23) for A23(9)
  const inner = findAntigen(broad, release)
  if (inner !== undefined && broadOf(inner, release) === split)
    return adviseOnSplit({ split: broad, broad: split }, engine)
  if (antigen === undefined) return adviseOnAntigen(split, engine)
  const own = broadOf(antigen, release)
  if (own === undefined) return { suggestions: [antigen], hint: `${antigen} has no broad antigen` }
  const spelled = formatWhoSpelling({ split, broad: own })
  const hint =
    own === broad
      ? `${split} is a split of ${own}: ${spelled}`
      : `${split} is a split of ${own}, not of ${broad}`
  return { suggestions: [spelled], hint }
}

/** Maximum length examined, in characters; `DR1403(13)` has ten. */
const MAX_ANTIGEN_LENGTH = 12
