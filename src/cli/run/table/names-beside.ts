/** Names of the files that a conversion writes beside its output.  [disk] */
import { HlaError } from '../../../errors.ts'
import { isDevice, isOfSystem } from '../../../io/part-file.ts'
import type { TableRun } from './table-run.ts'

interface ReportAsked {
  readonly asked: string | undefined
  readonly output: string
  /** What the name beside the output begins with. */
  readonly beside: string
}

/** undefined: there is none. Among the devices stands nothing of ours. */
export function reportFile({ asked, output, beside }: ReportAsked): string | undefined {
  return asked ?? (output === '-' || isOfSystem(output) ? undefined : `${beside}.errors.csv`)
}

type ProvenanceRun = Pick<TableRun, 'output' | 'beside'> & {
  readonly filePort: Pick<TableRun['filePort'], 'isRemote'>
  readonly options: Pick<TableRun['options'], 'provenance'>
}

/** In a file store it is always there: others have to know what they find. @throws {HlaError} usage — there is nothing to stand beside */
export function provenanceFile({ filePort, options, output, beside }: ProvenanceRun): string | undefined {
  const { provenance = filePort.isRemote(output) ? true : undefined } = options
  if (provenance === undefined) return undefined
  if (output === '-' || isDevice(output))
    throw new HlaError('usage', '--provenance needs an output file', { hint: '-o FILE' })
  return provenance === true ? `${beside}.hla.json` : provenance
}
