/** Options for the engine's switches, and their values as requests carry them. */
import { InvalidArgumentError, Option } from 'commander'
import { DESIGNATION_KINDS } from '../../engine/options.ts'
import { CONTRACT_METHODS, DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import type { Operation } from '../../operations/operation.ts'
import { collect, commaList, defined, wholeNumber } from '../options.ts'

/** As commander gives them. */
export interface EngineFlags {
  readonly method?: readonly string[]
  readonly strict?: boolean
  readonly ping?: boolean
  readonly ars?: boolean
  readonly exact?: boolean
  readonly consistentLg?: boolean
  readonly members?: boolean
  readonly keep?: readonly string[]
  readonly only?: readonly string[]
  readonly ignoreSuffix?: readonly string[]
  readonly limit?: number
}

export function methodOption(): Option {
  const methods = [...CONTRACT_METHODS, '1F', 'hats', 'all'].join(', ')
  return new Option('-m, --method <method>', `${methods} (repeatable; default ${DEFAULT_METHOD})`).argParser(
    collect,
  )
}

export function engineOptions(): Option[] {
  const kinds = DESIGNATION_KINDS.join(' ')
  return [
    new Option('--no-strict', 'do not validate names; add a missing N, Q, L or S'),
    new Option('--no-ping', 'do not rescue alleles outside every G group through their P group'),
    new Option('--ars', 'lg writes ARS instead of g'),
    new Option('--consistent-lg', 'lg is lgx with a letter everywhere (py-ard: not always)'),
    new Option('--exact', 'third and fourth fields must exist too'),
    new Option('--members', 'W of a G or P group is its members'),
    new Option('--keep <kinds>', `leave these kinds as typed: ${kinds}`).argParser(kindList),
    new Option('--only <kinds>', 'reduce only these kinds, leave the others as typed')
      .argParser(kindList)
      .conflicts('keep'),
    new Option('--ignore-suffix <list>', 'right-hand sides to leave as typed, such as NNNN,UUUU').argParser(
      commaList,
    ),
    new Option('--limit <n>', 'most names in one input or answer; 0 is no limit').argParser(wholeNumber),
  ]
}

/** The switches that were given. */
export function engineInput(operation: Operation, options: EngineFlags): Record<string, unknown> {
  if (!('options' in operation.input.properties)) return {}
  const { ars, exact, consistentLg, members, limit, only, keep, ignoreSuffix } = options
  const kept = only === undefined ? keep : DESIGNATION_KINDS.filter((kind) => !only.includes(kind))
  const given = {
    ...(options.strict === false ? { strict: false } : {}),
    ...(options.ping === false ? { ping: false } : {}),
    ...defined({ ars, exact, consistentLg, members, limit, keep: kept, ignoredSuffixes: ignoreSuffix }),
  }
  return Object.keys(given).length === 0 ? {} : { options: given }
}

/** In place of the engine's check: a mistake on the command line is found before the first typing. */
function kindList(text: string): readonly string[] {
  const kinds = commaList(text)
  if (kinds.every((kind) => (DESIGNATION_KINDS as readonly string[]).includes(kind))) return kinds
  throw new InvalidArgumentError(`Kinds are ${DESIGNATION_KINDS.join(' ')}.`)
}
