/** Table mode: a table in, the same table with an answer to each typing out. */
import type { TableRun } from './table-run.ts'
import { contentDigest } from '../../../table/run/checkpoint.ts'
import { readTableInput } from '../../../table/input/input.ts'
import { openPart, openTable, type OpenTable } from '../../../table/plan/open-table.ts'
import { outputColumns } from '../../../table/plan/output-columns.ts'
import { planText } from '../../../table/plan/plan-text.ts'
import { summaryRecord } from '../../../table/output/summary.ts'
import { HlaError } from '../../../errors.ts'
import { packageVersion } from '../../../package-root.ts'
import { parseReleaseNumber } from '../../../reference/release-number.ts'
import { EXIT } from '../../exit-status.ts'
import { type FileIdentity, fileIdentity } from '../../../io/file-identity.ts'
import { writeAll } from '../../../io/stdout.ts'
import { argvWithSettings } from '../settings.ts'
import { type Converted, convertTable, type Counted } from './convert-table.ts'
import { takesAll } from './workers/job-count.ts'
import { type Kept, keptOf } from './progress/kept.ts'
import { findCheckpoint, type Resumption } from './progress/resume.ts'
import { type Requests, requestsOf } from './requests-of-run.ts'
import { tellSummary } from './table-talk.ts'
import { type WorkerCrew, workerCrew } from './workers/worker-pool.ts'
import { type ProvenancePlace, writeProvenance } from './write-provenance.ts'

/** The exit status. */
export async function runTable(run: TableRun): Promise<number> {
  const requests = requestsOf(run)
  const crew = crewOf(run, requests)
  try {
    return await runWith(run, requests, crew)
  } finally {
    await crew?.close()
  }
}

/** undefined: one thread converts. To stop at one failure, all before it must be known. */
function crewOf(
  { answering: { data }, options, output }: TableRun,
  { jobs, maxErrors, options: { writing } }: Requests,
): WorkerCrew | undefined {
  const isAlone = jobs <= 1 || maxErrors !== undefined || writing.onError === 'fail' || options.plan === true
  return isAlone || data === undefined ? undefined : workerCrew(jobs - 1, data, output !== '-')
}

async function runWith(run: TableRun, requests: Requests, crew: WorkerCrew | undefined): Promise<number> {
  const { options, answering } = run
  const { layout, provenance } = requests
  const { reading, writing } = requests.options
  const { name, bytes } = run.source
  const read = bytes(crew !== undefined && takesAll(requests.jobs))
  const input = await readTableInput(name, read, provenance !== undefined)
  const whole = await openWhole(run, requests)
  const kept = await keptOf(run.door, { ...requests, output: run.output })
  const resumption = await resumptionOf(run, requests, kept)
  const table =
    whole === undefined
      ? await openTable(input, reading, layout, answering.facts)
      : await openPart(input, whole)
  const output = outputColumns(table.plan, writing)
  run.noteData()
  if (options.plan) {
    const { compression } = table.input
    const asked = { operation: run.operation.name, release: releaseText(run) }
    const methods = run.operation.name === 'redux' ? writing.results : []
    const written = { request: writing, output }
    writeAll(1, planText(table.plan, { dialect: table.dialect, compression, ...asked, methods, written }))
    return EXIT.ok
  }
  const ending = (counted: Counted) => endOf(run, table, requests, counted)
  const converted = await convertTable(run, table, requests, {
    kept,
    resumption,
    crew,
    before: {
      // what cannot be read again has its provenance before its name
      async provenance(counted, identity, from) {
        if (identity === undefined) return undefined
        const marking = { from, isMarked: resumption !== undefined }
        return ending(counted).provenance({ name: run.output, ...identity }, marking)
      },
      named: async (counted) => run.converted?.(ending(counted).record),
    },
  })
  try {
    return await tellEnd(run, requests, converted, ending(converted))
  } finally {
    converted.forget()
  }
}

/** The exit status. */
async function tellEnd(
  run: TableRun,
  { provenance, summary }: Requests,
  { tally, distinct, report }: Converted,
  { record, status, provenance: write }: ReturnType<typeof endOf>,
): Promise<number> {
  if (provenance !== undefined && !run.door.isRemote(run.output)) {
    const reported = report === undefined || run.door.isRemote(report) ? undefined : fileIdentity(report)
    await (await write(await fileIdentity(run.output), {}, await reported))?.finish()
  }
  const wrote = [run.output === '-' ? undefined : run.output, report, provenance].filter(
    (one) => one !== undefined,
  )
  tellSummary(run, { tally, distinct, record, choice: summary, wrote })
  return status
}

/** The table that the input is a part of, when it is one: its first rows decide how either is read. */
async function openWhole(
  { options: { planFrom }, answering, door }: TableRun,
  { layout, options }: Requests,
): Promise<OpenTable | undefined> {
  if (planFrom === undefined) return undefined
  if (planFrom === '-') throw new HlaError('usage', '--plan-from names a file, not standard input')
  const { name, bytes } = await door.source(planFrom)
  return openTable(await readTableInput(name, bytes()), options.reading, layout, answering.facts)
}

/** What is to be said of a conversion that has ended well. */
function endOf(run: TableRun, { plan, input }: OpenTable, requests: Requests, counted: Counted) {
  const { tally, distinct, started } = counted
  const record = summaryRecord(tally, distinct)
  const status = tally.statuses.error > 0 && !run.options.exitZero ? EXIT.no : EXIT.ok
  return {
    record,
    status,
    provenance: async (output: FileIdentity, marking: ProvenancePlace['marking'], report?: FileIdentity) => {
      if (requests.provenance === undefined) return undefined
      const identity = { name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' }
      const own = {
        options: requests.options,
        plan,
        input: identity,
        summary: record,
        started,
        output,
        report,
      }
      const facts = { argv: run.argv ?? argvWithSettings(), ...own }
      const data = await run.answering.dataFacts()
      const place = { door: run.door, file: requests.provenance, marking }
      return writeProvenance(place, data, { ...facts, exit: status })
    },
  }
}

/** undefined: this run cannot be resumed. @throws {HlaError} pin — what it is to resume is another one */
async function resumptionOf(
  run: TableRun,
  { pace, options, report }: Requests,
  kept: Kept,
): Promise<Resumption | undefined> {
  const { source, answering, door } = run
  const { planFrom } = run.options
  if (pace === undefined) return undefined
  const now = {
    hla: packageVersion(),
    data: answering.dataId,
    options: {
      ...options,
      report,
      ...(planFrom === undefined ? {} : { plan: contentDigest((await door.source(planFrom)).identity(0)) }),
    },
  }
  const earlier = run.options.resume ? findCheckpoint(run, now, kept) : undefined
  const identity = earlier?.identity ?? { ...now, input: source.identity(0) }
  return { pace, identity, earlier }
}

/** `3.58.0, names of 3.29.0` */
function releaseText({ inputs, answering }: TableRun): string {
  const { from, to, lift } = inputs[0] ?? {}
  const release = typeof to === 'string' ? parseReleaseNumber(to).label : answering.facts.label
  if (typeof from === 'string') return `${release}, names of ${parseReleaseNumber(from).label}`
  return lift === true ? `${release}, names of any release` : release
}
