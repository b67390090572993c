/** Recognises typings by form alone, regardless of files in the folder. Pure. */
import { METHOD_NAMES } from '../../engine/reduce/methods.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { parseGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { findMalformation } from '../../nomenclature/grammar.ts'
import type { Operation } from '../../operations/operation.ts'

/** True for a GL String, a name, an antigen, or a GL String Code. The release may lack it. */
export function parsesAsTyping(text: string): boolean {
  if (parseGlStringCode(text) !== undefined) return true
  return listLeaves(text).every((leaf) => findMalformation(leaf.text) === undefined)
}

/** True for a method name, which py-ard's `-r` takes; no release has such a name. */
export function isMethodName(word: string | undefined): boolean {
  return METHOD_NAMES.some((name) => name.toLowerCase() === word?.toLowerCase())
}

/** True when the command line may need a guess: only then is that module loaded. */
export function mayBeGuess(
  { name, input }: Pick<Operation, 'name' | 'input'>,
  operands: readonly string[],
  release: string,
): boolean {
  if ('reduction_method' in input.properties && isMethodName(release)) return true
  return (name === 'blend' && operands.length > 1) || !operands.every(parsesAsTyping)
}
