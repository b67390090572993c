/** hla match over tables: pairs in rows, two tables by id, or every patient with every donor. */
import { formatCount, counted } from '../../../../format-count.ts'
import { MATCH_COUNTS, type MatchCount, sumLoci } from '../../../../engine/match/match.ts'
import type { Note } from '../../../../errors.ts'
import type { Sink } from '../../../../io/sink.ts'
import { tell } from '../../../../io/stdout.ts'
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
  type ReadContext,
  readCohort,
  readPairs,
  rowPairs,
  spreadUnread,
  type WritePair,
} from '../../../../table/match/match-tables.ts'
import { pairRows } from '../../../../table/match/pair-rows.ts'
import { pairFormat } from '../../../options/table-options.ts'
import { type OpenSide, openSide, tellTables } from '../open-side.ts'
import { provenancePlace, runIntoFiles } from '../run-files.ts'
import type { TableCommand } from '../table-command.ts'
import { matchOptions, readMatchRequest, type Wish } from './match-options.ts'

type Command = TableCommand<Operation>

/** Returns the exit status, which is "no" when a typing cannot be read. @throws {HlaError} as opening and reading do */
export async function matchTablesCommand(command: Command): Promise<number> {
  const request = readMatchRequest(command)
  const provenance = await provenancePlace(command)
  const asked = { ...command, options: request.options, isHashed: provenance !== undefined }
  const opened: OpenSide[] = []
  for (const [at, file] of request.files.entries())
    opened.push(await openSide(asked, request.accept, file, at))
  const { isPlanOnly, status } = tellTables(command, opened)
  if (isPlanOnly) return status(false)
  const { options, answering, reporter } = command
  const { count, ...said } = request.input
  // rows have no grades
  const input = isOfRows(pairFormat(options)) ? { ...said, no_grade: true } : said
  // the operation checks them again
  const rules = readRules(input)
  const sides = await openSides({ executor: answering.executor, input, rules })
  // progress counts pairs
  const run = { files: opened, provenance, options: matchOptions(command), status, bytesRead: () => 0 }
  let matched: ComparedCohorts | undefined
  const { exit, summary } = await runIntoFiles(command, run, async ({ failed, passed, ...course }) => {
    const context = { sides, facts: answering.facts, failed, passed: () => passed(0) }
    matched = { ...(await readPersons(opened, context)), sides, rules }
    const done = await matchPersons(command, matched, { ...request.wish, ...course, asked: count, passed })
    course.finish()
    return summaryRecord(matched, done)
  })
  tellNotes(sides, reporter)
  if (options.byId === true && matched !== undefined) noteAlone(matched, opened, reporter)
  if (options.quiet !== true) tell(`hla: ${summaryText(summary)}\n`)
  return exit
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
  readonly sink: Sink
  /** Count that was asked for. */
  readonly asked: unknown
  readonly passed: (pairs: number) => void
}

async function matchPersons(
  command: Command,
  compared: ComparedCohorts,
  { sink, asked, passed, ...wish }: Matching,
): Promise<{ readonly isAll: boolean; readonly written: number }> {
  const { patients, byId } = command.options
  const isAll = patients !== undefined && byId !== true
  const pairs = () =>
    patients === undefined ? rowPairs(compared.patients) : pairsById(compared.patients, compared.donors)
  const count = MATCH_COUNTS.find((one) => one === asked) ?? countOf(compared, isAll ? undefined : pairs())
  if (asked === undefined && count === '8/8') command.reporter.note(NO_DQB1)
  const written = await intoOutput(command, sink, { compared, count }, (write, ready) => {
    const receiver = {
      ...wish,
      write,
      passed: async (done: number) => {
        passed(done)
        await ready()
        // a signal is heard between turns of the event loop
        await new Promise((turn) => setImmediate(turn))
      },
    }
    return isAll ? matchAll(compared, count, receiver) : matchPairs(compared, count, pairs(), receiver)
  })
  return { isAll, written }
}

interface Written {
  readonly compared: ComparedCohorts
  readonly count: MatchCount
}

function isOfRows(format: ReturnType<typeof pairFormat>): format is 'csv' | 'tsv' {
  return format === 'csv' || format === 'tsv'
}

/** Writes pairs in the format asked for. */
async function intoOutput(
  { options, questions }: Command,
  sink: Sink,
  { compared, count }: Written,
  compare: (write: WritePair, ready: () => Promise<void> | void) => Promise<number>,
): Promise<number> {
  const { loci, patients, donors, rules } = compared
  const format = pairFormat(options)
  const ready = () => sink.ready()
  if (isOfRows(format)) {
    const rows = pairRows(compared, countedPlaces(loci, count), format === 'tsv' ? '\t' : ',')
    sink.write(rows.head)
    return compare((...pair) => sink.write(rows.row(...pair)), ready)
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
  const written = await compare((patient, donor) => {
    const described = describePair(compared, patient, donor)
    const ids = { patient: patients.ids[patient] ?? '', donor: donors.ids[donor] ?? '' }
    const record = { loci: described.map(locusRecord), total: totalRecord(sumLoci(described, count)) }
    const json = { ...ids, level: rules.level, homozygous: rules.homozygous, count, ...record }
    const cells = [ids.patient, ids.donor, ...matchCells(record, loci)]
    sink.write(formatter.record([{ input: '', method: undefined, text: '', json, cells, error: undefined }]))
  }, ready)
  sink.write(formatter.tail())
  return written
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

interface Summary {
  readonly patients: number
  /** Absent where donors are in the rows of their patients. */
  readonly donors?: number
  readonly written: number
}

function summaryRecord(
  { patients, donors }: ComparedCohorts,
  { isAll, written }: { readonly isAll: boolean; readonly written: number },
): Summary {
  return { patients: patients.size, ...(isAll && { donors: donors.size }), written }
}

function summaryText({ patients, donors, written }: Summary): string {
  const persons =
    donors === undefined
      ? counted(patients, 'patient')
      : `${counted(patients * donors, 'pair')} of ${counted(patients, 'patient')} and ${counted(donors, 'donor')}`
  return `${persons}: ${counted(written, 'pair')} written`
}
