/** A person's typings as places of loci, read from a GL String. Pure. */
import { HlaError } from '../../errors.ts'
import { ABSENT_GENE, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import {
  type GlNode,
  type GlOperation,
  type GlTyping,
  formatGlString,
  parseGlString,
} from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import { formatGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { isDrbxGene } from '../blend.ts'

/** What stands at one place of a locus. */
export type TypedPlace =
  /** `start`: offset in the person's text. */
  | { readonly kind: 'typing'; readonly text: string; readonly start: number }
  /** Typed and not known, or not typed at all. */
  | { readonly kind: 'untyped' }
  /** The gene is absent. */
  | { readonly kind: 'absent' }

export type TypedLocus =
  /** Possible genotypes. */
  | {
      readonly kind: 'typed'
      readonly genotypes: readonly (readonly [TypedPlace, TypedPlace])[]
      readonly isTypedOnce: boolean
    }
  | {
      readonly kind: 'unread'
      readonly error: HlaError
      /** Typing beside the one that cannot be read. */
      readonly other?: TypedPlace | undefined
    }

/** Locus -> its places; DRB3, DRB4 and DRB5 are one locus. */
export type Person = ReadonlyMap<string, TypedLocus>

export const DRB345 = 'DRB345'

/** @throws {HlaError} empty-part, bad-character, bad-syntax — a text whose loci cannot be read */
export function readPerson(glString: string): Person {
  const loci = new Map<string, Block[]>()
  for (const block of blocksOf(parseGlString(glString))) {
    const own = loci.get(block.locus)
    if (own === undefined) loci.set(block.locus, [block])
    else own.push(block)
  }
  return new Map([...loci].map(([locus, blocks]) => [locus, readLocus(locus, blocks)]))
}

/** Typings of one locus that stand together: the copies of a genotype, or a list of possible genotypes. */
interface Block {
  readonly locus: string
  readonly genotypes: readonly (readonly GlTyping[])[]
}

function blocksOf(node: GlNode): readonly Block[] {
  if (node.kind === 'typing') return [typingBlock(node)]
  if (node.operator === '^') return node.parts.flatMap(blocksOf)
  // phase says nothing about a locus by itself
  if (node.operator === '+' || node.operator === '~') return node.parts.flatMap(blocksOf)
  if (node.operator === '|') return [listBlock(node)]
  throw unreadable(node, 'possible genes (?) cannot be compared')
}

function typingBlock(typing: GlTyping): Block {
  return { locus: locusOf(typing), genotypes: [[typing]] }
}

function listBlock(node: GlOperation): Block {
  const genotypes = node.parts.map((part) => blocksOf(part))
  const [locus = '', ...others] = new Set(genotypes.flat().map((block) => block.locus))
  if (others.length > 0) throw unreadable(node, 'a list of genotypes of several loci cannot be compared')
  return { locus, genotypes: genotypes.map((blocks) => blocks.flatMap((block) => block.genotypes.flat())) }
}

/** Locus of an allele list. A part without one may be of any locus, the others of the person included. */
function locusOf({ text, start }: GlTyping): string {
  const loci = new Set<string>()
  let at = start
  for (const leaf of text.split('/')) {
    const malformed = withoutPrefix(leaf).indexOf('*') > 0 ? undefined : findMalformation(leaf)
    if (malformed !== undefined) throw malformedError(malformed, leaf, at)
    loci.add(leafLocus(withoutPrefix(leaf)))
    at += leaf.length + 1
  }
  const [locus = '', ...others] = loci
  if (others.length === 0) return locus
  throw new HlaError('mixed-loci', `${text} has names of different loci`, { offending: text })
}

function leafLocus(leaf: string): string {
  const locus = readNameLocus(leaf)
  if (locus === 'Cw') return 'C'
  return isDrbxGene(locus) ? DRB345 : locus
}

function unreadable(node: GlNode, reason: string): HlaError {
  const text = formatGlString(node)
  return new HlaError('bad-syntax', `${text.slice(0, 60)}: ${reason}`, { offending: text })
}

const UNTYPED: TypedPlace = { kind: 'untyped' }
const ABSENT: TypedPlace = { kind: 'absent' }

function readLocus(locus: string, blocks: readonly Block[]): TypedLocus {
  const [list] = blocks.filter(({ genotypes }) => genotypes.length > 1)
  const typings = blocks.flatMap(({ genotypes }) => genotypes.flat())
  if (list !== undefined && blocks.length > 1) return surplusTypings(typings.map(({ text }) => text))
  const places = (list?.genotypes ?? [typings]).map((copies) => copies.map(readPlace))
  return makeLocus(locus, places)
}

function readPlace({ text, start }: GlTyping): TypedPlace {
  return text.endsWith(`*${ABSENT_GENE}`) ? ABSENT : { kind: 'typing', text, start }
}

/**
 * A locus from the places that are typed in each of its possible genotypes. One molecular typing stands for both copies,
 * one antigen leaves the other copy open; of DRB3, DRB4 and DRB5 a chromosome may carry none.
 */
export function makeLocus(locus: string, genotypes: readonly (readonly TypedPlace[])[]): TypedLocus {
  const filled: (readonly [TypedPlace, TypedPlace])[] = []
  for (const places of genotypes) {
    const [one = ABSENT, other, surplusPlace] =
      locus === DRB345 ? places.filter(({ kind }) => kind !== 'absent') : places
    if (surplusPlace !== undefined)
      return surplusTypings(places.map((place) => (place.kind === 'typing' ? place.text : place.kind)))
    filled.push([one, other ?? secondPlace(locus, one)])
  }
  return {
    kind: 'typed',
    genotypes: filled,
    isTypedOnce:
      genotypes.some(
        (places) => places.length === 1 && places[0]?.kind === 'typing' && !isSerology(places[0].text),
      ) && locus !== DRB345,
  }
}

function secondPlace(locus: string, first: TypedPlace): TypedPlace {
  if (locus === DRB345) return ABSENT
  return first.kind === 'typing' && isSerology(first.text) ? UNTYPED : first
}

function isSerology(text: string): boolean {
  return !text.includes('*')
}

export function surplusTypings(texts: readonly string[]): TypedLocus {
  const text = texts.join('+')
  const error = new HlaError('surplus-typing', `${text}: more typings than a person has at a locus`, {
    offending: text,
  })
  return { kind: 'unread', error }
}

/** Typings of a GL String Code stay codes, so that they are read by the code's release. */
export function ofRelease(typed: TypedLocus, release: string | undefined): TypedLocus {
  if (typed.kind === 'unread' || release === undefined) return typed
  const coded = (place: TypedPlace) =>
    place.kind === 'typing' ? { ...place, text: codeText(place.text, release) } : place
  const genotypes = typed.genotypes.map(([one, other]) => {
    const first = coded(one)
    // a place that stands for both copies stays one
    return [first, other === one ? first : coded(other)] as const
  })
  return { ...typed, genotypes }
}

export function codeText(glString: string, release: string | undefined): string {
  return release === undefined ? glString : formatGlStringCode(release, glString)
}
