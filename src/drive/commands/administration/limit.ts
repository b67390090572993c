/** `hla drive limit …`: size and count limits of a store. */
import type { describeLimits } from '../../api/admin/requests.ts'
import { HlaError } from '../../../errors.ts'
import { LIMIT_NAMES, type LimitName, LIMITS } from '../../contract/limits.ts'
import { closest } from '../../../cli/closest.ts'
import type { StoreOptions } from '../options/administrator-options.ts'
import type { Cell } from '../print.ts'
import { printAsOperator, listAsOperator } from './as-operator.ts'

type SetLimit = ReturnType<typeof describeLimits>[number]

/** `text` is `name=number`, or `name=standard`. */
export function setLimitCommand(text: string, options: StoreOptions): Promise<void> {
  const { name, value } = readLimit(text)
  return printAsOperator(options, described, 'limits.update', { path: [name], body: { value } })
}

export const listLimitsCommand = listAsOperator('limits.list', described)

function readLimit(text: string): { readonly name: LimitName; readonly value: number | null } {
  const [word = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const name = LIMIT_NAMES.find((limit) => limit === word)
  if (name === undefined) throw unknownLimit(word)
  if (value === 'standard') return { name, value: null }
  if (/^\d{1,15}$/.test(value)) return { name, value: Number(value) }
  throw new HlaError('usage', `${name} must be a whole number, or "standard"`, {
    offending: text,
    hint: `Write, for example, ${name}=${LIMITS[name].standard}.`,
  })
}

function unknownLimit(word: string): HlaError {
  const [near] = closest(word, LIMIT_NAMES, 1)
  const question = near === undefined ? '' : `Did you mean "${near}"?   `
  return new HlaError('usage', `there is no limit "${word}"`, {
    offending: word,
    hint: `${question}hla drive limit list prints all of them.`,
  })
}

function described({ name, value: limit, standard, isSet: set, of }: SetLimit): Record<string, Cell> {
  return { name, limit, standard, set, of }
}
