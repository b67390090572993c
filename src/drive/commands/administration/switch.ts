/** `--disable` and `--enable` of the administration commands. */
import { HlaError } from '../../../errors.ts'
import type { Switch } from '../options/administrator-options.ts'

/** Returns undefined for no change. @throws {HlaError} usage — both given */
export function isDisabledBy({ disable, enable }: Switch): boolean | undefined {
  if (disable === true && enable === true) throw new HlaError('usage', 'give --disable or --enable, not both')
  return disable === true ? true : enable === true ? false : undefined
}
