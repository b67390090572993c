/** `hla drive limit …`: size and count limits of a store. */
import type { describeLimits } from '../../api/admin/requests.ts'
import { HlaError } from '../../../errors.ts'
import { LIMIT_NAMES, type LimitName, LIMITS } from '../../contract/limits.ts'
import { closest } from '../../../cli/closest.ts'
import type { Cell, Printing } from '../print.ts'
import { printAsOperator, printListAsOperator } from './as-operator.ts'

type SetLimit = ReturnType<typeof describeLimits>[number]

export interface LimitOptions extends Printing {
  readonly data: string
}

/** `given` is `name=number`, or `name=standard`. */
export function setLimitCommand(given: string, options: LimitOptions): Promise<number> {
  const { name, value } = readLimit(given)
  return printAsOperator(options, described, 'limits.update', { path: [name], body: { value } })
}

export function listLimitsCommand(options: LimitOptions): Promise<number> {
  return printListAsOperator(options, described, 'limits.list')
}

function readLimit(given: string): { readonly name: LimitName; readonly value: number | null } {
  const [, asked = given, text = ''] = /^([^=]*)=(.*)$/.exec(given) ?? []
  const name = LIMIT_NAMES.find((one) => one === asked)
  if (name === undefined) throw unknownLimit(asked)
  if (text === 'standard') return { name, value: null }
  if (/^\d{1,15}$/.test(text)) return { name, value: Number(text) }
  throw new HlaError('usage', `${name} must be a whole number, or "standard"`, {
    offending: given,
    hint: `Write, for example, ${name}=${LIMITS[name].standard}.`,
  })
}

function unknownLimit(asked: string): HlaError {
  const [near] = closest(asked, LIMIT_NAMES, 1)
  const meant = near === undefined ? '' : `Did you mean "${near}"?   `
  return new HlaError('usage', `there is no limit "${asked}"`, {
    offending: asked,
    hint: `${meant}hla drive limit list prints all of them.`,
  })
}

function described({ name, value: limit, standard, isSet: set, of }: SetLimit): Record<string, Cell> {
  return { name, limit, standard, set, of }
}
