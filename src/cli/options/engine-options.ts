/** Options for the engine's switches, and their values in the form of requests. */
import { InvalidArgumentError, Option } from 'commander'
import { ANTIGEN_LEVELS, DESIGNATION_KINDS } from '../../engine/options.ts'
import { ALL_METHODS, DEFAULT_METHOD, METHOD_NAMES } from '../../engine/reduce/methods.ts'
import type { Operation } from '../../operations/operation.ts'
import { setBrief, withBriefs } from './brief.ts'
import { commaList, defined, methodList, wholeNumber } from './options.ts'

/** Values as commander parses them. */
export interface EngineFlags {
  readonly method?: readonly string[]
  readonly strict?: boolean
  readonly ping?: boolean
  readonly ars?: boolean
  readonly exact?: boolean
  readonly consistentLg?: boolean
  readonly members?: boolean
  readonly ownAntigens?: boolean
  readonly antigens?: string
  readonly keep?: readonly string[]
  readonly only?: readonly string[]
  readonly ignoreSuffix?: readonly string[]
  readonly limit?: number
}

export function methodOption(): Option {
  const all = `${ALL_METHODS} (of the release: hats from 3.64.0 on)`
  const methods = `${METHOD_NAMES.join(', ')} or ${all}; several with commas, default ${DEFAULT_METHOD}`
  return setBrief(
    new Option('-m, --method <method>', methods).argParser(methodList).env('HLA_METHOD'),
    `methods (hla help methods); default ${DEFAULT_METHOD}`,
  )
}

/** Short descriptions for `--help`. */
const BRIEFS = {
  'no-strict': 'add missing N, Q, L, S; validate nothing',
  'no-ping': 'no P group of alleles without a G group',
  'consistent-lg': 'make lg always equal to lgx plus g',
  members: 'method W: members of a G or P group',
  'own-antigens': 'method S: antigens of the own alleles alone',
  antigens: 'method S: associated, split, broad or usual',
  keep: `leave unchanged: ${DESIGNATION_KINDS.slice(0, 4).join(' ')} …`,
  only: 'reduce these kinds alone',
  'ignore-suffix': 'leave names with this after "*" unchanged',
  limit: 'largest number of names; 0: no limit',
}

export function engineOptions(): Option[] {
  return withBriefs(declaredOptions(), BRIEFS)
}

function declaredOptions(): Option[] {
  const kinds = DESIGNATION_KINDS.join(' ')
  return [
    new Option('--no-strict', 'do not validate names, and add a missing N, Q, L or S'),
    new Option('--no-ping', 'do not use the P group of alleles that are in no G group'),
    new Option('--ars', 'mark lg names with ARS instead of g'),
    new Option('--consistent-lg', 'make lg always equal to lgx plus g (in py-ard it is not always)'),
    new Option('--exact', 'refuse names that the release does not list'),
    new Option('--members', 'reduce a G or P group to its members with method W'),
    new Option(
      '--own-antigens',
      'reduce two fields to the antigens of their own alleles with method S, not to those of all with the same lgx name',
    ),
    new Option(
      '--antigens <level>',
      'antigens of method S: associated (A0201), split (A23), broad (A9) or usual (as before April 2026: A9/A23)',
    ).choices(ANTIGEN_LEVELS),
    new Option('--keep <kinds>', `leave typings of these kinds unchanged: ${kinds}`).argParser(kindList),
    new Option('--only <kinds>', 'reduce only typings of these kinds, and leave others unchanged')
      .argParser(kindList)
      .conflicts('keep'),
    new Option(
      '--ignore-suffix <list>',
      'leave names unchanged that have this after the "*", such as NNNN,UUUU',
    ).argParser(commaList),
    new Option('--limit <n>', 'largest number of names in one input or answer; 0 means no limit').argParser(
      wholeNumber,
    ),
  ]
}

/** Engine switches set on the command line. */
export function engineInput(operation: Operation, options: EngineFlags): Record<string, unknown> {
  if (!('options' in operation.input.properties)) return {}
  const { ars, exact, consistentLg, members, ownAntigens, antigens, limit, only, keep, ignoreSuffix } =
    options
  const kept = only === undefined ? keep : DESIGNATION_KINDS.filter((kind) => !only.includes(kind))
  const given = {
    ...(options.strict === false ? { strict: false } : {}),
    ...(options.ping === false ? { ping: false } : {}),
    ...defined({ ars, exact, consistentLg, members, ownAntigens, antigens, limit, keep: kept }),
    ...defined({ ignoredSuffixes: ignoreSuffix }),
  }
  return Object.keys(given).length === 0 ? {} : { options: given }
}

/** Checks kinds before the engine does, so that a mistake is found before the first typing is read. */
function kindList(text: string, before?: readonly string[]): readonly string[] {
  const kinds = commaList(text, before)
  if (kinds.every((kind) => (DESIGNATION_KINDS as readonly string[]).includes(kind))) return kinds
  throw new InvalidArgumentError(`Kinds are ${DESIGNATION_KINDS.join(' ')}.`)
}
