/** The answers of redux to codes that differ little from codes before: a registry writes 150,000 of them. */
import { knownCode } from '../../engine/reduce/reduce-code.ts'
import { parseMethod } from '../../engine/reduce/methods.ts'
import type { SortPart } from '../../nomenclature/order.ts'
import type { Knowledge } from '../knowledge.ts'

/** `A*01` and `AB` -> the parts of the list that is answered, without notes; undefined: to be asked of the operation. */
export type KnownCodes = (family: string, code: string) => readonly SortPart[] | undefined

/** undefined when the input asks for more than a method and options. */
export function knownCodes(
  { reduction_method, options, ...others }: Readonly<Record<string, unknown>>,
  knowledge: Knowledge,
): KnownCodes | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const engine = knowledge.engine(options)
  // such suffixes are written like codes, and sort behind all others
  if (engine.options.ignoredSuffixes.length > 0) return undefined
  const method = parseMethod(String(reduction_method))
  const limit = engine.options.limit || Infinity
  return (family, code) => {
    const parts = knownCode(engine, method, family, code)
    return parts === undefined || parts.length > limit ? undefined : parts
  }
}
