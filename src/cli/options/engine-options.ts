/** Options for the engine's switches, and their values in the form of requests. */
import { InvalidArgumentError } from 'commander'
import { ANTIGEN_LEVELS, DESIGNATION_KINDS } from '../../engine/options.ts'
import { ALL_METHODS, DEFAULT_METHOD, METHOD_NAMES } from '../../engine/reduce/methods.ts'
import type { Operation } from '../../operations/operation.ts'
import { defined, type OptionRow, type OptionsOf } from '../../options/option-row.ts'
import { IGNORE_SUFFIX, LIMIT, METHOD as REQUESTED_METHOD } from '../../options/question-options.ts'
import { commaList, methodList } from './parsers.ts'

export const METHOD = { ...REQUESTED_METHOD, reading: methodList, help: `${METHOD_NAMES.join(', ')} or ${ALL_METHODS} (of the release: hats from 3.64.0 on); several with commas, default ${DEFAULT_METHOD}`, brief: `methods (hla help methods); default ${DEFAULT_METHOD}` } as const // prettier-ignore

export const ENGINE_OPTIONS = [
  { name: 'no-strict', synonyms: ['non-strict'], help: 'do not validate names, and add a missing N, Q, L or S', brief: 'add missing N, Q, L, S; validate nothing' },
  { name: 'no-ping', help: 'do not use the P group of alleles that are in no G group', brief: 'use no P group for alleles without a G group' },
  { name: 'ars', help: 'mark lg names with ARS instead of g' },
  { name: 'consistent-lg', help: 'make lg always equal to lgx plus g (in py-ard it is not always)', brief: 'make lg always equal to lgx plus g' },
  { name: 'exact', help: 'refuse names that the release does not list' },
  { name: 'members', help: 'reduce a G or P group to its members with method W', brief: 'method W: members of a G or P group' },
  { name: 'own-antigens', help: 'with method S, reduce a two-field name to the antigens of its own alleles, not to those of all alleles with its lgx name', brief: 'method S: only antigens of the alleles under the name' },
  { name: 'antigens', value: 'level', choices: ANTIGEN_LEVELS, help: 'antigens of method S: associated (A2403), split (A24), broad (A9) or usual (as before April 2026: A9/A24)', brief: 'method S: associated, split, broad or usual' },
  { name: 'keep', value: 'kinds', reading: kindList, help: `leave typings of these kinds unchanged: ${DESIGNATION_KINDS.join(' ')}`, brief: `leave unchanged: ${DESIGNATION_KINDS.slice(0, 4).join(' ')} …` },
  { name: 'only', value: 'kinds', reading: kindList, help: 'reduce only typings of these kinds, and leave others unchanged', brief: 'reduce only these kinds', excludes: [{ option: 'keep' }] },
  IGNORE_SUFFIX,
  LIMIT,
] as const satisfies readonly OptionRow[] // prettier-ignore

/** Values as commander parses them. */
export type EngineFlags = OptionsOf<readonly [typeof METHOD, ...typeof ENGINE_OPTIONS]>

/** Engine switches set on the command line. */
export function engineInput(operation: Operation, options: EngineFlags): Record<string, unknown> {
  if (!('options' in operation.input.properties)) return {}
  const { ars, exact, consistentLg, members, ownAntigens, antigens, limit, only, keep, ignoreSuffix } =
    options
  const switches = { ars, exact, consistentLg, members, ownAntigens, antigens, limit }
  const kinds = only === undefined ? keep : DESIGNATION_KINDS.filter((kind) => !only.includes(kind))
  const request = defined({
    strict: options.strict === false ? false : undefined,
    ping: options.ping === false ? false : undefined,
    ...switches,
    keep: kinds,
    ignoredSuffixes: ignoreSuffix,
  })
  return Object.keys(request).length === 0 ? {} : { options: request }
}

/** Checks kinds before the engine does, so that a mistake is found before the first typing is read. */
function kindList(text: string, before?: readonly string[]): readonly string[] {
  const kinds = commaList(text, before)
  if (kinds.every((kind) => (DESIGNATION_KINDS as readonly string[]).includes(kind))) return kinds
  throw new InvalidArgumentError(`Kinds are ${DESIGNATION_KINDS.join(' ')}.`)
}
