/**
 * Answers in other notations: splits with their broad antigen, or molecules as peptide-binding predictors list them.
 */
import { HlaError } from '../errors.ts'
import { formatCount } from '../format-count.ts'
import { hasPrefix, PREFIX, readLocus, withoutPrefix } from '../nomenclature/allele.ts'
import { formatWhoSpelling, parseAntigen } from '../nomenclature/antigen.ts'
import {
  type GlNode,
  type GlTyping,
  listDesignations,
  listLeaves,
  listTypings,
  parseGlString,
} from '../nomenclature/gl-string.ts'
import { NoMolecule, partnerOf, type Program, PROGRAMS, writeMolecule } from '../nomenclature/programs.ts'
import type { Release } from '../reference/release.ts'
import { broadOf } from './antigen-levels.ts'
import type { Engine } from './engine.ts'

export const WRITTEN_NAMES = ['who', ...PROGRAMS] as const
export type WrittenNames = (typeof WRITTEN_NAMES)[number]

/**
 * `glString` is an answer with names of the release. Operators stay; the chains of DQ and DP, typed at two genes, become
 * every molecule that a person can have of them.
 * @throws {HlaError} no-molecule — a name that is not of a protein, or not of one the program knows; `offending` is the
 * name; too-ambiguous
 */
export function writeNames(glString: string, as: WrittenNames, engine: Engine): string {
  const node = parseGlString(glString)
  if (as === 'who') return written(node, (list) => writeAntigens(list, engine.release))
  const [leaf] = listLeaves(glString)
  if (leaf !== undefined && onlyGene(node) !== undefined) refuseLoneChain(leaf.text, glString, as)
  return writtenMolecules(node, as, engine)
}

function written(node: GlNode, write: (names: readonly string[]) => readonly string[]): string {
  if (node.kind === 'typing') return write(namesOf(node)).join('/')
  return node.parts.map((part) => written(part, write)).join(node.operator)
}

function writtenMolecules(node: GlNode, program: Program, engine: Engine): string {
  if (node.kind === 'typing') return namesOf(node).map((name) => moleculeOf([name], program)).join('/') // prettier-ignore
  const { operator, parts } = node
  if (operator === '~') {
    const chains = parts.flatMap((part) => (part.kind === 'typing' ? namesOf(part) : []))
    // one name of each of two genes is one molecule
    if (chains.length === 2 && parts.length === 2 && chains.every((name) => /^(?:HLA-)?D[QP]/.test(name)))
      return moleculeOf(chains, program)
  }
  if (operator !== '^') return parts.map((part) => writtenMolecules(part, program, engine)).join(operator)
  const byGene = new Map(parts.map((part) => [onlyGene(part), part]))
  const paired = new Set<GlNode>()
  const texts = parts.map((part) => {
    const beta = byGene.get(partnerOf(onlyGene(part) ?? ''))
    if (beta === undefined || onlyGene(beta) === undefined) return undefined
    for (const one of [part, beta]) paired.add(one)
    return writePairs(part, beta, program, engine.options.limit)
  })
  return parts
    .flatMap((part, at) => texts[at] ?? (paired.has(part) ? [] : writtenMolecules(part, program, engine)))
    .join(operator)
}

function namesOf(typing: GlTyping): readonly string[] {
  return listDesignations(typing).map(({ text }) => text)
}

/** undefined for typings of several genes. */
function onlyGene(node: GlNode): string | undefined {
  const names = listTypings(node).flatMap(namesOf)
  const genes = new Set(names.map((name) => readLocus(withoutPrefix(name))))
  return genes.size === 1 ? [...genes][0] : undefined
}

/**
 * Molecules of the chains of one person: each copy of the one gene with each of the other, however they lie on the
 * chromosomes. `DQA1*01:01+DQA1*05:01` and `DQB1*02:01+DQB1*05:01` make four. `limit`: maximum number, 0 for none.
 * @throws {HlaError} no-molecule, too-ambiguous
 */
export function writePairs(alpha: GlNode, beta: GlNode, program: Program, limit: number): string {
  const [alphas, betas] = [genotypesOf(alpha), genotypesOf(beta)]
  const count = (genotypes: Genotypes) => genotypes.flat(2).length
  if (limit > 0 && count(alphas) * count(betas) > limit)
    throw new HlaError('too-ambiguous', `the chains make more than ${formatCount(limit)} molecules`)
  const genotypes = alphas.flatMap((one) => betas.map((other) => pairedCopies(one, other, program)))
  return [...new Set(genotypes)].join('|')
}

/** Possible genotypes; copies of each; possible names of each copy. */
type Genotypes = readonly (readonly (readonly string[])[])[]

function genotypesOf(node: GlNode): Genotypes {
  if (node.kind === 'typing') return [[namesOf(node)]]
  if (node.operator === '|') return node.parts.flatMap(genotypesOf)
  // the parts of a genotype are typings
  return [node.parts.flatMap((part) => genotypesOf(part).flat())]
}

function pairedCopies(alphas: Genotypes[number], betas: Genotypes[number], program: Program): string {
  const molecules = alphas.flatMap((alpha) =>
    betas.map((beta) => {
      const pairs = alpha.flatMap((one) => beta.map((other) => moleculeOf([one, other], program)))
      return [...new Set(pairs)].join('/')
    }),
  )
  return [...new Set(molecules)].join('+')
}

/** The error names the chain and the program, for the caller that knows the other chain. */
function refuseLoneChain(name: string, glString: string, program: Program): void {
  try {
    writeMolecule([withoutPrefix(name)], program)
  } catch (error) {
    if (error instanceof NoMolecule && error.lacksPartner)
      throw noMolecule(glString, program, error.message, { chain: glString, program })
  }
}

function moleculeOf(names: readonly string[], program: Program): string {
  try {
    return writeMolecule(names.map(withoutPrefix), program)
  } catch (error) {
    if (!(error instanceof NoMolecule)) throw error
    throw noMolecule(names.join('~'), program, error.message)
  }
}

function noMolecule(
  offending: string,
  program: Program,
  reason: string,
  facts?: Readonly<Record<string, string>>,
): HlaError {
  const message = `${offending.slice(0, 60)} is not a molecule of ${program}: ${reason}`
  return new HlaError('no-molecule', message, { offending, ...(facts === undefined ? {} : { facts }) })
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
