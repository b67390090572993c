/** hla match over tables: pairs in rows, two tables by id, or every patient with every donor. */
import type { Leniency } from '../../../../engine/accept.ts'
import { advice, option } from '../../../../advice.ts'
import { HlaError, type Note } from '../../../../errors.ts'
import { formatCount } from '../../../../format-count.ts'
import { MATCH_COUNTS, type MatchCount, sumLoci } from '../../../../engine/match/match.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type Sink, withSink } from '../../../../io/sink.ts'
import { tell, writeOut } from '../../../../io/stdout.ts'
import { chooseFormatter } from '../../../../operations/answers/records.ts'
import { locusRecord, matchCells, matchColumns, NO_DQB1, readRules, totalRecord } from '../../../../operations/answers/matching.ts' // prettier-ignore
import type { Operation } from '../../../../operations/operation.ts'
import { type Sides, openSides } from '../../../../table/match/cohort.ts'
import { type ComparedCohorts, countedPlaces, describePair } from '../../../../table/match/compare.ts'
import {
  countOf,
  lociOf,
  matchAll,
  matchPairs,
  pairsById,
  parseMin,
  type ReadContext,
  readCohort,
  readPairs,
  rowPairs,
  spreadUnread,
  type WritePair,
} from '../../../../table/match/match-tables.ts'
import { pairRows } from '../../../../table/match/pair-rows.ts'
import { undecidedDigits } from '../../../../table/plan/open-table.ts'
import { tableNotes } from '../../../../table/plan/recognition/table-notes.ts'
import { newTally } from '../../../../table/output/summary.ts'
import { openFailures } from '../../../../table/run/table-failures.ts'
import { openProgress } from '../report/progress.ts'
import { failuresShown } from '../report/table-reporter.ts'
import { type OpenSide, openSide } from '../open-side.ts'
import { type TableCommand, comparisonPlan } from '../table-command.ts'

type Command = TableCommand<Operation>

/** Returns the exit status, which is "no" when a typing cannot be read. @throws {HlaError} as opening and reading do */
export async function matchTablesCommand(command: Command): Promise<number> {
  const { options, questions, answering, reporter } = command
  const input = questions[0]?.input ?? {}
  // readLeniencies parsed it from the command line
  const accept = (input['accept'] ?? []) as readonly Leniency[]
  const wanted = readWanted(options)
  const files = filesOf(options)
  const opened: OpenSide[] = []
  for (const [at, file] of files.entries())
    opened.push(await openSide(withSubjects(command), accept, file, at))
  command.noteData()
  const [refusal] = opened.flatMap(({ table, reading }) => undecidedDigits(table.plan, reading) ?? [])
  if (options.plan === true)
    writeOut(opened.map(({ table }) => comparisonPlan(table, command, answering.facts.label)).join('\n'))
  if (refusal !== undefined) throw refusal
  const isLeft = options.strictColumns === true && opened.some(({ table }) => table.plan.unread.length > 0)
  if (options.plan === true) return isLeft ? EXIT.no : EXIT.ok
  for (const { name, table } of opened)
    for (const note of tableNotes(table.plan)) reporter.note({ ...note, message: `${name}: ${note.message}` })
  const failed = await run(command, opened, { ...wanted, input: withCount(input, wanted.count) })
  return isLeft || (failed > 0 && options.exitZero !== true) ? EXIT.no : EXIT.ok
}

function filesOf({ patients, donors, input = [] }: Command['options']): readonly string[] {
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
function withSubjects(command: Command): Command {
  const { patient, donor } = command.options
  if (patient === undefined || donor === undefined) return command
  return { ...command, options: { ...command.options, subject: [`patient=${patient}`, `donor=${donor}`] } }
}

interface Wish {
  readonly min: number
  readonly minSure: number
  readonly top: number
  readonly count: MatchCount | undefined
}

/** @throws {HlaError} usage */
function readWanted({ min, minSure, top = Infinity }: Command['options']): Wish {
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

interface Run extends Wish {
  readonly input: Readonly<Record<string, unknown>>
}

/** Returns the number of failures. */
async function run(command: Command, files: readonly OpenSide[], wish: Run): Promise<number> {
  const { options, answering, filePort, reporter } = command
  const { count: asked, ...input } = wish.input
  // the operation checks them again
  const rules = readRules(wish.input)
  const sides = await openSides({ executor: answering.executor, input, rules })
  const report = options.errors === undefined ? undefined : { file: options.errors, isAsked: true }
  const ofFiles = { withFiles: true, withPaths: true }
  const failures = await openFailures(filePort, report, failuresShown(files[0]?.name ?? ''), ofFiles)
  let failed = 0
  // progress counts pairs as rows
  const tally = newTally()
  const watched = { tally, bytesRead: () => 0, bytes: undefined }
  const progress = openProgress(options.progress, options.quiet ?? false, watched)
  const context = {
    sides,
    facts: answering.facts,
    failed: (failure: Parameters<typeof failures.add>[0]) => {
      failed += 1
      progress.clear()
      failures.add(failure)
    },
    passed: () => progress.passed(),
  }
  const passed = (pairs: number) => {
    tally.rows = pairs
    progress.passed()
  }
  try {
    const persons = await readPersons(files, context)
    const matched = { ...persons, sides, rules }
    const { isAll, written } = await matchPersons(command, matched, { ...wish, asked, passed })
    progress.finish()
    await failures.finish()
    tellNotes(sides, reporter)
    if (options.byId === true) noteAlone(matched, files, reporter)
    if (options.quiet !== true) tell(`hla: ${summary(matched, isAll, written)}\n`)
    return failed
  } catch (error) {
    progress.clear()
    await failures.abandon()
    throw error
  }
}

type Persons = Pick<ComparedCohorts, 'patients' | 'donors' | 'loci'>

async function readPersons([first, second]: readonly OpenSide[], context: ReadContext): Promise<Persons> {
  if (first === undefined) throw new Error('no table was opened')
  const cohorts =
    second === undefined
      ? await readPairs(first, context)
      : { patients: await readCohort(first, context), donors: await readCohort(second, context) }
  const loci = lociOf(cohorts.patients, cohorts.donors)
  for (const cohort of Object.values(cohorts)) spreadUnread(cohort, context.sides, loci)
  return { ...cohorts, loci }
}

interface Matching extends Wish {
  /** Count that was asked for. */
  readonly asked: unknown
  readonly passed: (pairs: number) => void
}

async function matchPersons(
  command: Command,
  compared: ComparedCohorts,
  { asked, passed, ...wish }: Matching,
): Promise<{ readonly isAll: boolean; readonly written: number }> {
  const { patients, byId } = command.options
  const isAll = patients !== undefined && byId !== true
  const pairs = () =>
    patients === undefined ? rowPairs(compared.patients) : pairsById(compared.patients, compared.donors)
  const count = MATCH_COUNTS.find((one) => one === asked) ?? countOf(compared, isAll ? undefined : pairs())
  if (asked === undefined && count === '8/8') command.reporter.note(NO_DQB1)
  const written = await intoOutput(command, compared, count, (write, ready) => {
    const receiver = {
      ...wish,
      write,
      passed: (done: number) => {
        passed(done)
        return ready()
      },
    }
    return isAll ? matchAll(compared, count, receiver) : matchPairs(compared, count, pairs(), receiver)
  })
  return { isAll, written }
}

/** Writes pairs in the format asked for; without one, by the ending of the output. */
async function intoOutput(
  { options, filePort, questions }: Command,
  compared: ComparedCohorts,
  count: MatchCount,
  compare: (write: WritePair, ready: () => Promise<void> | void) => Promise<number>,
): Promise<number> {
  const { loci, patients, donors, rules } = compared
  const format = options.format === 'plain' ? formatOf(options.output) : options.format
  return withSink(await filePort.sink(options.output), async (sink) => {
    if (format === 'csv' || format === 'tsv') {
      const rows = pairRows(compared, countedPlaces(loci, count), format === 'tsv' ? '\t' : ',')
      sink.write(rows.head)
      return finished(
        sink,
        compare(
          (...pair) => sink.write(rows.row(...pair)),
          () => sink.ready(),
        ),
      )
    }
    const columns = ['patient', 'donor', ...matchColumns(loci)]
    const formatter = await chooseFormatter({
      format,
      withInput: false,
      withMethod: questions.length > 1,
      columns,
      isList: true,
    })
    sink.write(formatter.head)
    const written = await compare(
      (patient, donor) => {
        const described = describePair(compared, patient, donor)
        const ids = { patient: patients.ids[patient] ?? '', donor: donors.ids[donor] ?? '' }
        const record = { loci: described.map(locusRecord), total: totalRecord(sumLoci(described, count)) }
        const json = { ...ids, level: rules.level, homozygous: rules.homozygous, count, ...record }
        const cells = [ids.patient, ids.donor, ...matchCells(record, loci)]
        sink.write(
          formatter.record([{ input: '', method: undefined, text: '', json, cells, error: undefined }]),
        )
      },
      () => sink.ready(),
    )
    sink.write(formatter.tail())
    return finished(sink, Promise.resolve(written))
  })
}

async function finished(sink: Sink, written: Promise<number>): Promise<number> {
  const count = await written
  await sink.finish()
  return count
}

function formatOf(output: string): 'csv' | 'tsv' | 'jsonl' {
  if (/\.(?:tsv|tab)(?:\.gz)?$/i.test(output)) return 'tsv'
  return /\.jsonl(?:\.gz)?$/i.test(output) ? 'jsonl' : 'csv'
}

/** Notes of a code are one note, with the number of typings. */
function tellNotes(sides: Sides, reporter: Command['reporter']): void {
  for (const [first, ...others] of sides.notes().values()) {
    if (first === undefined) continue
    const more = others.length === 0 ? '' : `; so ${others.length === 1 ? 'has' : 'have'} ${formatCount(others.length)} more typings` // prettier-ignore
    const note: Note = { ...first, message: `${first.message}${more}` }
    reporter.note(note)
  }
}

function noteAlone(
  { patients, donors }: ComparedCohorts,
  files: readonly OpenSide[],
  reporter: Command['reporter'],
): void {
  const both = [...pairsById(patients, donors)].length
  for (const [at, cohort] of [patients, donors].entries()) {
    const alone = cohort.size - both
    if (alone === 0) continue
    const message = `${formatCount(alone)} ${alone === 1 ? 'id is' : 'ids are'} in ${files[at]?.name ?? ''} alone`
    reporter.note({ level: both === 0 ? 'warning' : 'note', code: 'persons', message })
  }
}

function summary({ patients, donors }: ComparedCohorts, isAll: boolean, written: number): string {
  const persons = isAll
    ? `${formatCount(patients.size * donors.size)} pairs of ${formatCount(patients.size)} patients and ${formatCount(donors.size)} donors`
    : `${formatCount(patients.size)} ${patients.size === 1 ? 'patient' : 'patients'}`
  return `${persons}: ${formatCount(written)} ${written === 1 ? 'pair' : 'pairs'} written`
}
