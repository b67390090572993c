/** Names covered by a code, ready for reduction. */
import type { Engine } from '../engine.ts'
import { expandMac, type Mac } from './mac.ts'

/** @throws {HlaError} as `expandMac` */
export function coveredNames(mac: Mac, engine: Engine): readonly string[] {
  return expandMac(mac, engine).flatMap((name) => withoutShortNull(name, engine))
}

/** Expands a member such as `B*44:23N` to the alleles with that letter below `B*44:23`. */
export function withoutShortNull(name: string, { release, options }: Engine): readonly string[] {
  const alleles = options.off.includes('null') ? undefined : release.listOf('shortNull', name)
  return alleles ?? [name]
}
