/** The files here that hold what another run needs to go on with a conversion. */
import type { FilePort } from '../../../io/file-port.ts'

export interface StateFiles {
  /** The state, and the part of the output, are named after it. */
  readonly output: string
  /** The parts of the others, where there are any. */
  readonly report: string | undefined
  readonly provenance: string | undefined
  /** Of what goes into a store: parts that get no other name, and go with the state. */
  readonly copies: readonly string[]
}

export interface OutputFiles {
  readonly output: string
  readonly report: string | undefined
  readonly provenance: string | undefined
}

export async function findKept(
  filePort: FilePort,
  { output, report, provenance }: OutputFiles,
): Promise<StateFiles> {
  const here = (file: string | undefined) => (file === undefined ? undefined : filePort.here(file))
  const copies: string[] = []
  for (const file of [output, report, provenance])
    if (file !== undefined && filePort.isRemote(file)) copies.push(await filePort.here(file))
  return {
    output: await filePort.here(output),
    report: await here(report),
    provenance: await here(provenance),
    copies,
  }
}
