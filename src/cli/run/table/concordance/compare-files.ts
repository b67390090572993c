/** hla diff over two files of the same persons: agreement of their typings by locus, and the typings that differ. */
import type { Leniency } from '../../../../engine/accept.ts'
import { HlaError } from '../../../../errors.ts'
import { type Sink, withSink } from '../../../../io/sink.ts'
import { tell } from '../../../../io/stdout.ts'
import type { Operation } from '../../../../operations/operation.ts'
import { compareFiles } from '../../../../table/concordance/compare-files.ts'
import {
  type FilesCompared,
  type MethodRequest,
  differenceFormat,
} from '../../../../table/concordance/verdicts.ts'
import { openFailures } from '../../../../table/run/table-failures.ts'
import { chooseFormatter } from '../../../../operations/answers/records.ts'
import { failuresShown } from '../report/table-reporter.ts'
import { type OpenSide, openSide, tellTables } from '../open-side.ts'
import type { TableCommand } from '../table-command.ts'
import type { ComparedFiles } from './compared-files.ts'
import {
  CONCORDANCE_COLUMNS,
  concordanceLines,
  isDifferent,
  locusRecords,
  oneSidedLoci,
  wholeRecord,
} from '../../../../table/concordance/records.ts'

/**
 * Returns the exit status, which is "no" when anything differs.
 * @throws {HlaError} as opening and comparing do
 */
export async function compareFilesCommand(
  command: TableCommand<Operation>,
  { files, releases }: ComparedFiles,
): Promise<number> {
  const { questions, reporter } = command
  if (files.every((file) => file === '-'))
    throw new HlaError('usage', 'standard input cannot be both of the files that are compared')
  // readLeniencies parsed it from the command line
  const accept = (questions[0]?.input['accept'] ?? []) as readonly Leniency[]
  const left = await openSide(command, accept, files[0], 0)
  const right = await openSide(command, accept, files[1], 1)
  const sides = [left, right]
  const { isPlanOnly, status } = tellTables(command, sides)
  if (isPlanOnly) return status(false)
  noteJoin(sides, reporter)
  const compared = await compare(command, left, right, releases)
  return status(isDifferent(compared))
}

function noteJoin(sides: readonly OpenSide[], reporter: TableCommand['reporter']): void {
  // files without person names are refused elsewhere
  if (sides.some(({ table: { plan } }) => plan.idColumn === undefined)) return
  const [left = '', right = ''] = sides.map(
    ({ name, table: { plan } }) => `${plan.header.labels[plan.idColumn ?? 0] ?? ''} of ${name}`,
  )
  reporter.note({ level: 'note', code: 'persons', message: `persons are matched by ${left} and ${right}` })
}

async function compare(
  { options, questions, answering, filePort, reporter }: TableCommand<Operation>,
  left: OpenSide,
  right: OpenSide,
  releases: ComparedFiles['releases'],
): Promise<FilesCompared> {
  const names = [left.name, right.name]
  const report = options.errors === undefined ? undefined : { file: options.errors, isAsked: true }
  const course = { withFiles: true, withPaths: true }
  const failures = await openFailures(filePort, report, failuresShown(left.name), course)
  const format = differenceFormat(options.rows ?? '')
  const formatter = await chooseFormatter(outputFormat(options))
  try {
    return await intoFiles(filePort, options, async (sink, rows) => {
      rows?.write(format.head)
      const compared = await compareFiles({
        left,
        right,
        facts: answering.facts,
        executor: answering.executor,
        methods: questions.map(({ method = '', input }) => methodRequest(method, input, releases)),
        loci: options.loci === undefined ? undefined : askedLoci(options.loci, answering.facts.loci),
        failed: failures.add,
        differs: rows && ((row) => rows.write(format.record(row))),
        passed: () => rows?.ready(),
        paired: (one, other) => notePair(reporter, one, other),
      })
      const lines = concordanceLines(compared, names).map((line) => `${line}\n`)
      if (options.summary === true) sink.write(lines.join(''))
      else {
        const isWhole = options.format === 'json'
        sink.write(formatter.head)
        if (isWhole) sink.write(formatter.record([wholeRecord(compared, names, answering.facts.label)]))
        else for (const record of locusRecords(compared)) sink.write(formatter.record([record]))
        sink.write(formatter.tail())
      }
      await rows?.finish()
      await sink.finish()
      await failures.finish()
      noteResult(compared, names, reporter)
      if (options.summary !== true && options.quiet !== true)
        tell(lines.map((line) => `hla: ${line}`).join(''))
      return compared
    })
  } catch (error) {
    await failures.abandon()
    throw error
  }
}

/** `run` finishes both sinks; if it fails, neither file is written. */
async function intoFiles<T>(
  filePort: TableCommand['filePort'],
  { output, rows }: TableCommand['options'],
  run: (sink: Sink, rows: Sink | undefined) => Promise<T>,
): Promise<T> {
  const into = async (sink: Sink | undefined) =>
    withSink(await filePort.sink(output), (written) => run(written, sink))
  return rows === undefined ? into(undefined) : withSink(await filePort.sink(rows), into)
}

/** `plain` prints a table, since numbers in rows need their column names. */
function outputFormat(options: TableCommand['options']) {
  const format = options.format
  return {
    format: format === 'plain' ? ('table' as const) : format,
    withInput: false,
    withMethod: true,
    columns: CONCORDANCE_COLUMNS,
    isList: false,
  }
}

/** Request to redux for the names of either file. */
function methodRequest(
  method: string,
  input: Readonly<Record<string, unknown>>,
  releases: ComparedFiles['releases'],
): MethodRequest {
  const asked = Object.fromEntries(Object.entries(input).filter(([name]) => !name.endsWith('_release')))
  const [left, right] = releases ?? []
  const of = (from: string | undefined) => (from === undefined ? asked : { ...asked, from })
  return { method, leftInput: of(left), rightInput: of(right) }
}

/** @throws {HlaError} usage — an unknown locus */
function askedLoci(asked: readonly string[], known: readonly string[]): ReadonlySet<string> {
  const loci = asked.map((one) => one.replace(/^HLA-/i, '').toUpperCase())
  const unknown = loci.find((locus) => !known.includes(locus))
  if (unknown === undefined) return new Set(loci)
  throw new HlaError('usage', `--loci: there is no locus ${unknown}`, { offending: unknown })
}

function notePair(reporter: TableCommand['reporter'], left: string, right: string): void {
  const message = `each file is about one person and named by it: ${left} and ${right} are compared as one`
  reporter.note({ level: 'note', code: 'persons', message })
}

function noteResult(
  compared: FilesCompared,
  names: readonly string[],
  reporter: TableCommand['reporter'],
): void {
  if (compared.persons === 0)
    reporter.note({
      level: 'warning',
      code: 'persons',
      message:
        'no person is in both files: --id-column names the columns that identify persons, with a comma between them',
    })
  for (const [at, loci] of oneSidedLoci(compared).entries())
    if (loci.length > 0)
      reporter.note({ level: 'note', code: 'loci', message: `only ${names[at]} has ${loci.join(' ')}` })
  const copies = compared.methods.flatMap(({ counts }) =>
    [...counts.loci].filter(([, one]) => one.copies > 0),
  )
  if (copies.length === 0) return
  const loci = [...new Set(copies.map(([locus]) => locus))].join(' ')
  const message = `${loci}: typings that agree are written once in one file and twice in the other (column copies)`
  reporter.note({ level: 'note', code: 'copies', message })
}
