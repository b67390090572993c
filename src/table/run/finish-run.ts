/** End of a successful conversion: its summary, provenance and messages.  [disk] */
import { type FileIdentity, fileIdentity } from '../../io/file-identity.ts'
import { checkPlace, isDevice } from '../../io/part-file.ts'
import type { TableInput } from '../plan/table-input.ts'
import { summaryRecord } from '../output/summary.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { EndActions, ConvertedTable, ConversionCounts } from './convert-table.ts'
import type { TableJob, TableResult } from './table-job.ts'
import { writeFileSync } from 'node:fs'
import { type DataFacts, type ProvenanceFacts, provenanceText } from '../output/provenance.ts'
import { packageVersion } from '../../package-root.ts'
import { addErrorPath, writeAtomically } from '../../io/atomic-write.ts'
import type { Sink } from '../../io/sink.ts'

interface FinishedInput {
  readonly plan: TablePlan
  readonly input: TableInput
}

/** @throws errors of `run` */
export async function finishConversion(
  job: TableJob,
  told: FinishedInput,
  run: (before: EndActions) => Promise<ConvertedTable>,
): Promise<TableResult> {
  const { provenance, filePort } = job
  if (provenance !== undefined && !filePort.isRemote(provenance.file)) checkPlace(provenance.file)
  const ending = (counted: ConversionCounts) => finishRun(job, told, counted)
  const converted = await run({
    // an output that cannot be read back gets its provenance before its name
    async provenance(counted, identity) {
      if (identity === undefined) return undefined
      return ending(counted).provenance({ name: job.output, ...identity })
    },
    named: async (counted) => job.converted?.(ending(counted).record),
  })
  return finishFiles(job, converted, ending(converted))
}

async function finishFiles(
  { filePort, output, provenance, reporter }: TableJob,
  { tally, distinct, report }: ConvertedTable,
  { record, provenance: write }: ReturnType<typeof finishRun>,
): Promise<TableResult> {
  if (provenance !== undefined && !filePort.isRemote(output)) {
    const reported = report === undefined || filePort.isRemote(report) ? undefined : fileIdentity(report)
    await (await write(await fileIdentity(output), await reported))?.finish()
  }
  const files = [output === '-' ? undefined : output, report, provenance?.file]
  const result = { tally, distinct, record, wrote: files.filter((one) => one !== undefined) }
  reporter.finished(result)
  return result
}

/** Summary and provenance of a completed run. */
function finishRun(
  { provenance, answering, filePort, face }: TableJob,
  { plan, input }: FinishedInput,
  { tally, distinct, started }: ConversionCounts,
) {
  const record = summaryRecord(tally, distinct, plan, face)
  return {
    record,
    provenance: async (output: FileIdentity, report?: FileIdentity): Promise<Sink | undefined> => {
      if (provenance === undefined) return undefined
      const { file, argv, options, status } = provenance
      return writeProvenance(
        { file, answering, filePort },
        {
          argv,
          options,
          plans: [plan],
          input: { name: input.name, bytes: input.bytesRead(), sha256: input.sha256() ?? '' },
          inputs: input.parts?.(),
          output,
          report,
          summary: record,
          started,
          exit: status(record),
        },
      )
    },
  }
}

type RunFacts = Omit<ProvenanceFacts, keyof DataFacts | 'program' | 'node' | 'ended'>

/** Returns a completed sink for a file in a store, which the caller names. A local file is written at once. */
export async function writeProvenance(
  { file, answering, filePort }: Pick<TableJob, 'answering' | 'filePort'> & { readonly file: string },
  facts: RunFacts,
): Promise<Sink | undefined> {
  const text = provenanceText({
    ...(await answering.dataFacts()),
    program: packageVersion(),
    node: process.versions.node,
    ...facts,
    ended: new Date(),
  })
  if (!filePort.isRemote(file)) return writeHere(file, text)
  const sink = await filePort.sink(file)
  sink.write(text)
  await sink.complete()
  return sink
}

function writeHere(file: string, text: string): undefined {
  // a device is written to; a rename would replace it
  if (isDevice(file)) addErrorPath(file, () => writeFileSync(file, text))
  else writeAtomically(file, text)
}
