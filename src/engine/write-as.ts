/**
 * Answers in other notations: splits with their broad antigen, or molecules as peptide-binding predictors list them.
 */
import { HlaError } from '../errors.ts'
import { hasPrefix, PREFIX, withoutPrefix } from '../nomenclature/allele.ts'
import { formatWhoSpelling, parseAntigen } from '../nomenclature/antigen.ts'
import { type GlNode, listDesignations, listLeaves, parseGlString } from '../nomenclature/gl-string.ts'
import { NoMolecule, type Program, PROGRAMS, writeMolecule } from '../nomenclature/programs.ts'
import type { Release } from '../reference/release.ts'
import { broadOf } from './antigen-levels.ts'

export const WRITTEN_NAMES = ['who', ...PROGRAMS] as const
export type WrittenNames = (typeof WRITTEN_NAMES)[number]

/**
 * `glString` is an answer with names of the release. Operators stay.
 * @throws {HlaError} no-molecule — a name that is not of a protein, or not of one the program knows; `offending` is the
 * name
 */
export function writeNames(glString: string, as: WrittenNames, release: Release): string {
  return written(
    parseGlString(glString),
    (list) => (as === 'who' ? writeAntigens(list, release) : list.map((name) => moleculeOf([name], as))),
    as,
  )
}

type WriteList = (names: readonly string[]) => readonly string[]

function written(node: GlNode, write: WriteList, as: WrittenNames): string {
  if (node.kind === 'typing') return write(listDesignations(node).map(({ text }) => text)).join('/')
  const { operator, parts } = node
  if (operator === '~' && as !== 'who') {
    const chains = parts.flatMap((part) => (part.kind === 'typing' ? listDesignations(part) : []))
    // one name of each of two genes is one molecule
    if (chains.length === 2 && parts.length === 2 && chains.every(({ text }) => /^(?:HLA-)?D[QP]/.test(text)))
      return moleculeOf(
        chains.map(({ text }) => text),
        as,
      )
  }
  return parts.map((part) => written(part, write, as)).join(operator)
}

function moleculeOf(names: readonly string[], program: Program): string {
  try {
    return writeMolecule(names.map(withoutPrefix), program)
  } catch (error) {
    if (!(error instanceof NoMolecule)) throw error
    const offending = names.join('~')
    throw new HlaError(
      'no-molecule',
      `${offending.slice(0, 60)} is not a molecule of ${program}: ${error.message}`,
      {
        offending,
      },
    )
  }
}

/**
 * Call before a reduction, which turns A*01:01:01:02N into A*01:01.
 * @throws {HlaError} no-molecule
 */
export function refuseNulls(glString: string, program: Program): void {
  for (const { text } of listLeaves(glString))
    if (text.includes('*') && text.endsWith('N')) moleculeOf([text], program)
}

/** A broad antigen listed with its split is dropped in favour of the split. */
function writeAntigens(names: readonly string[], release: Release): readonly string[] {
  const broads = new Map(
    names.map((name) => {
      const bare = withoutPrefix(name)
      return [name, parseAntigen(bare) === undefined ? undefined : broadOf(bare, release)] as const
    }),
  )
  const named = new Set(broads.values())
  return names.flatMap((name) => {
    if (named.has(withoutPrefix(name))) return []
    const broad = broads.get(name)
    if (broad === undefined) return [name]
    return [(hasPrefix(name) ? PREFIX : '') + formatWhoSpelling({ split: withoutPrefix(name), broad })]
  })
}
