/** Options of matching the persons of tables: which files, which pairs, and how they are written. */
import type { Leniency } from '../../../../engine/accept.ts'
import type { MatchCount } from '../../../../engine/match/match.ts'
import { advice, option } from '../../../../advice.ts'
import { HlaError } from '../../../../errors.ts'
import type { Operation } from '../../../../operations/operation.ts'
import { parseMin } from '../../../../table/match/match-tables.ts'
import { pairFormat } from '../../../options/table-options.ts'
import { sideReading } from '../open-side.ts'
import type { TableCommand } from '../table-command.ts'

type Options = TableCommand<Operation>['options']
type Asked = Pick<TableCommand<Operation>, 'options' | 'questions'>

export interface MatchRequest {
  /** One table of pairs, or patients and donors. */
  readonly files: readonly string[]
  /** With the subjects of `--patient` and `--donor`. */
  readonly options: Options
  readonly accept: readonly Leniency[]
  readonly wish: Wish
  /** Input of `match` without the persons; with the count of `--min`. */
  readonly input: Readonly<Record<string, unknown>>
}

export interface Wish {
  readonly min: number
  readonly minSure: number
  readonly top: number
}

/** @throws {HlaError} usage */
export function readMatchRequest({ options, questions }: Asked): MatchRequest {
  const input = questions[0]?.input ?? {}
  const { count, ...wish } = readWanted(options)
  return {
    files: filesOf(options),
    options: withSubjects(options),
    // readLeniencies parsed it from the command line
    accept: (input['accept'] ?? []) as readonly Leniency[],
    wish,
    input: withCount(input, count),
  }
}

/** Options that decide the output, as provenance records them. @throws {HlaError} usage */
export function matchOptions(asked: Asked): object {
  const { files, options, accept, wish, input } = readMatchRequest(asked)
  return {
    reading: files.map((file, side) => sideReading(options, accept, file, side)),
    writing: { format: pairFormat(options), by_id: options.byId, ...wish, top: options.top },
    engine: { operation: 'match', ...input },
  }
}

function filesOf({ patients, donors, input = [] }: Options): readonly string[] {
  if (patients === undefined || donors === undefined) {
    const [file = '-', another] = input
    if (another === undefined) return [file]
    throw new HlaError('usage', 'one table of pairs is read at a time', {
      hint: 'hla match --patients FILE --donors FILE reads two tables',
    })
  }
  if (input.length > 0)
    throw new HlaError('usage', advice`${option('input')} cannot be combined with ${option('patients')}`)
  if (patients === '-' && donors === '-')
    throw new HlaError('usage', 'standard input cannot be both patients and donors')
  return [patients, donors]
}

/** `--patient P_ --donor D_` are subjects. */
function withSubjects(options: Options): Options {
  const { patient, donor } = options
  if (patient === undefined || donor === undefined) return options
  return { ...options, subject: [`patient=${patient}`, `donor=${donor}`] }
}

/** @throws {HlaError} usage */
function readWanted({
  min,
  minSure,
  top = Infinity,
}: Options): Wish & { readonly count: MatchCount | undefined } {
  const one = min === undefined ? undefined : parseMin('min', min)
  const other = minSure === undefined ? undefined : parseMin('min-sure', minSure)
  if (one?.count !== undefined && other?.count !== undefined && one.count !== other.count)
    throw new HlaError('usage', `--min ${min} and --min-sure ${minSure} count other loci`)
  if (top === 0) throw new HlaError('usage', '--top is 1 or more')
  return { min: one?.least ?? 0, minSure: other?.least ?? 0, top, count: one?.count ?? other?.count }
}

/** @throws {HlaError} usage — `--min 8/10` with another `--count` */
function withCount(input: Readonly<Record<string, unknown>>, count: MatchCount | undefined) {
  const asked = input['count']
  if (count === undefined || asked === count) return input
  if (asked !== undefined)
    throw new HlaError(
      'usage',
      `--count ${JSON.stringify(asked)} does not count of ${count.split('/')[1] ?? ''} alleles`,
      {
        hint: `--count ${count}`,
      },
    )
  return { ...input, count }
}
