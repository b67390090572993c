/** `hla drive limit …`: size and count limits of a store. */
import { HlaError } from '../../../../errors.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { readLimits, setLimits } from '../../../../drive/domain/settings.ts'
import { LIMIT_NAMES, type LimitName, LIMITS } from '../../../../drive/contract/limits.ts'
import type { Store } from '../../../../drive/persistence/store.ts'
import { closest } from '../../../../cli/options/closest.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { withStore } from './with-store.ts'

export interface LimitOptions extends Printing {
  readonly data: string
}

/** `given` is `name=number`, or `name=standard`. */
export function setLimitCommand(given: string, options: LimitOptions): Promise<number> {
  const { name, value } = readLimit(given)
  return withStore(options.data, async (store) => {
    await command(store, 'setLimit', OPERATOR, { name, value })
    printRows([described(store, name)], options)
    return EXIT.ok
  })
}

export function listLimitsCommand(options: LimitOptions): Promise<number> {
  return withStore(options.data, (store) => {
    printRows(
      LIMIT_NAMES.map((name) => described(store, name)),
      options,
    )
    return Promise.resolve(EXIT.ok)
  })
}

function readLimit(given: string): { readonly name: LimitName; readonly value: number | null } {
  const [, asked = given, text = ''] = /^([^=]*)=(.*)$/.exec(given) ?? []
  const name = LIMIT_NAMES.find((one) => one === asked)
  if (name === undefined) throw unknownLimit(asked)
  if (text === 'standard') return { name, value: null }
  if (/^\d{1,15}$/.test(text)) return { name, value: Number(text) }
  throw new HlaError('usage', `${name} must be a whole number, or "standard"`, {
    offending: given,
    hint: `Write ${name}=${LIMITS[name].standard}, say.`,
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

function described(store: Store, name: LimitName): Record<string, Cell> {
  const { standard, of } = LIMITS[name]
  return { name, limit: readLimits(store.read)[name], standard, set: name in setLimits(store.read), of }
}
