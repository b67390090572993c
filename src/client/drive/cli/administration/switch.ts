/** `--disable` and `--enable` of the commands of administration. */
import { HlaError } from '../../../../errors.ts'

export interface Switch {
  readonly disable?: boolean
  readonly enable?: boolean
}

/** undefined: it stays as it is. @throws {HlaError} usage — both */
export function isDisabledBy({ disable, enable }: Switch): boolean | undefined {
  if (disable === true && enable === true) throw new HlaError('usage', 'either --disable or --enable')
  return disable === true ? true : enable === true ? false : undefined
}
