/** Files of a run that matches or counts the persons of tables: its output, its report of failures and its provenance. */
import { joinedName } from '../../../io/file-port.ts'
import { checkPlace } from '../../../io/part-file.ts'
import type { Sink } from '../../../io/sink.ts'
import type { Operation } from '../../../operations/operation.ts'
import { joinedDigest } from '../../../table/sources/many-files.ts'
import type { ProvenanceFacts } from '../../../table/output/provenance.ts'
import { type Commit, type RunFiles, withFiles, type WriteProvenance, writeProvenance } from '../../../table/run/commit-files.ts' // prettier-ignore
import type { Failure } from '../../../table/output/failure-report.ts'
import { newTally } from '../../../table/output/summary.ts'
import { openProgress } from './report/progress.ts'
import { openFailures } from '../../../table/run/table-failures.ts'
import { argvWithSettings } from '../settings.ts'
import type { OpenSide, ToldTables } from './open-side.ts'
import { failuresShown } from './report/table-reporter.ts'
import { type TableCommand, provenanceFile } from './table-command.ts'

type Command = TableCommand<Operation>

/** File of the provenance, if the command line asks for it. @throws {HlaError} usage, io — the file cannot be written */
export async function provenancePlace({ options, filePort }: Command): Promise<string | undefined> {
  const { output } = options
  const file = provenanceFile({ filePort, options, output, beside: await filePort.beside(output) })
  if (file !== undefined && !filePort.isRemote(file)) checkPlace(file)
  return file
}

interface PersonsRun {
  readonly files: readonly OpenSide[]
  /** File of the provenance. */
  readonly provenance: string | undefined
  /** Options that decide the output, as provenance records them. */
  readonly options: object
  readonly status: ToldTables['status']
  /** For progress. */
  readonly bytesRead: () => number
}

export interface Course {
  readonly sink: Sink
  readonly failed: (failure: Failure) => void
  /** Called now and then with the number of rows or pairs so far. */
  readonly passed: (count: number) => void
  /** Called when the last has passed. */
  readonly finish: () => void
}

/** Does work with the files of a run, and names these. Returns the exit status, and the summary of the work with the number of failures. */
export async function runIntoFiles<Summary extends object>(
  command: Command,
  { files, provenance, options: recorded, status, bytesRead }: PersonsRun,
  work: (course: Course) => Promise<Summary>,
): Promise<{ readonly exit: number; readonly summary: Summary & { readonly failed: number } }> {
  const { options } = command
  const started = new Date()
  const tally = newTally()
  const watched = { tally, bytesRead, bytes: undefined }
  const progress = openProgress(options.progress, options.quiet ?? false, watched)
  const workInto = async ({ sink, failures }: RunFiles, commit: Commit) => {
    let failed = 0
    const done = await work({
      sink,
      failed(failure) {
        failed += 1
        progress.clear()
        failures.add(failure)
      },
      passed(count) {
        tally.rows = count
        progress.passed()
      },
      finish: progress.finish,
    })
    const summary = { ...done, failed }
    const exit = status(failed > 0)
    const facts = { options: recorded, summary, started, exit }
    await commit(provenance === undefined ? undefined : recordRun(command, files, provenance, facts))
    return { exit, summary }
  }
  try {
    const { output } = options
    return await withFiles({ ...command, output }, (opened) => openOutputs(command, files, opened), workInto)
  } catch (error) {
    progress.clear()
    throw error
  }
}

async function openOutputs(
  { options, filePort }: Command,
  files: readonly OpenSide[],
  opened: Pick<Sink, 'abandon'>[],
): Promise<RunFiles> {
  const report = options.errors === undefined ? undefined : { file: options.errors, isAsked: true }
  const places = { withFiles: true, withPaths: true }
  const failures = await openFailures(filePort, report, failuresShown(files[0]?.name ?? ''), places)
  opened.push(failures)
  const sink = await filePort.sink(options.output)
  opened.push(sink)
  return { failures, sink }
}

/** Writer of the provenance, which is called when the output is complete. */
function recordRun(
  command: Command,
  files: readonly OpenSide[],
  provenance: string,
  facts: Pick<ProvenanceFacts, 'options' | 'summary' | 'started' | 'exit'>,
): WriteProvenance {
  return (output, report) => {
    const inputs = files.flatMap(
      ({ table: { input } }) =>
        input.parts?.() ?? [{ name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' }],
    )
    const [only, another] = inputs
    const bytes = inputs.reduce((sum, one) => sum + one.bytes, 0)
    const joined = { name: joinedName(inputs.length, only?.name ?? ''), bytes, sha256: joinedDigest(inputs) }
    return writeProvenance(
      { ...command, file: provenance },
      {
        ...facts,
        output,
        report,
        argv: argvWithSettings(),
        plans: files.map(({ table }) => table.plan),
        input: another === undefined && only !== undefined ? only : joined,
        inputs: another === undefined ? undefined : inputs,
      },
    )
  }
}
