/** Whether a word of a command line is a typing by its form, whatever files are in the folder. Pure. */
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { parseGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { findMalformation } from '../../nomenclature/grammar.ts'
import type { Operation } from '../../operations/operation.ts'

/** A GL String, a name, an antigen, or a GL String Code. The release may not have it. */
export function parsesAsTyping(text: string): boolean {
  if (parseGlStringCode(text) !== undefined) return true
  const leaves = listTypings(parseGlString(text)).flatMap(listDesignations)
  return leaves.every((leaf) => findMalformation(leaf.text) === undefined)
}

/** `-r` of py-ard takes a method; no release is called so. */
export function isMethodName(word: string | undefined): boolean {
  return METHOD_NAMES.some((name) => name.toLowerCase() === word?.toLowerCase())
}

/** The command line may mean something else than it says: only then are the guesses loaded. */
export function mayBeGuess(
  { name, input }: Pick<Operation, 'name' | 'input'>,
  operands: readonly string[],
  release: string,
): boolean {
  if ('reduction_method' in input.properties && isMethodName(release)) return true
  return (name === 'blend' && operands.length > 1) || !operands.every(parsesAsTyping)
}
