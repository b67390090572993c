/** One allele list (`/`) of one locus. */
import { HlaError } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import { listDesignations, type GlLeaf, type GlTyping } from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'

/**
 * Well-formed leaves of the list, for operations that take no other operator.
 * @throws {HlaError} not-a-single-allele — an operator other than `/`; empty-part, bad-character, bad-syntax —
 * malformed; mixed-loci
 */
export function parseAlleleList(text: string): GlLeaf[] {
  const operator = text.search(/[\^?|+~]/)
  if (operator >= 0) {
    const offending = text.charAt(operator)
    const message = `expected one allele list ("/"), but found a "${offending}"`
    throw new HlaError('not-a-single-allele', message, { offending, position: [operator, operator + 1] })
  }
  return listAlleles({ kind: 'typing', text, start: 0 })
}

/**
 * Well-formed leaves of a typing.
 * @throws {HlaError} empty-part, bad-character, bad-syntax — malformed; mixed-loci
 */
export function listAlleles(typing: GlTyping): GlLeaf[] {
  const leaves = listDesignations(typing)
  for (const leaf of leaves) {
    const malformed = findMalformation(leaf.text)
    if (malformed !== undefined) throw malformedError(malformed, leaf.text, leaf.start)
  }
  const odd = leaves.find((leaf) => findLeafLocus(leaf) !== findLeafLocus(leaves[0]))
  if (odd !== undefined) throw mixedLoci(findLeafLocus(leaves[0]), odd)
  return leaves
}

function findLeafLocus(leaf: GlLeaf | undefined): string {
  return readNameLocus(withoutPrefix(leaf?.text ?? ''))
}

function mixedLoci(locus: string, odd: GlLeaf): HlaError {
  const message = `an allele list must have one locus; this one has ${locus.slice(0, 60)} and ${findLeafLocus(odd).slice(0, 60)}`
  return new HlaError('mixed-loci', message, {
    offending: odd.text,
    position: [odd.start, odd.start + odd.text.length],
  })
}
