/** Writes the provenance file of a finished conversion.  [disk] */
import { writeFileSync } from 'node:fs'
import { type DataFacts, type ProvenanceFacts, provenanceText } from '../output/provenance.ts'
import { packageVersion } from '../../package-root.ts'
import { naming, writeAtomically } from '../../io/atomic-write.ts'
import type { FilePort } from '../../io/file-port.ts'
import { isDevice } from '../../io/part-file.ts'
import type { Sink } from '../../io/sink.ts'

type OwnFacts = keyof DataFacts | 'program' | 'node' | 'ended'

export interface ProvenancePlace {
  readonly filePort: FilePort
  readonly file: string
}

/** In a store it is complete, and gets its name from who asked for it; here it has it. */
export async function writeProvenance(
  { filePort, file }: ProvenancePlace,
  data: DataFacts,
  facts: Omit<ProvenanceFacts, OwnFacts>,
): Promise<Sink | undefined> {
  const text = provenanceText({
    ...facts,
    program: packageVersion(),
    node: process.versions.node,
    ...data,
    ended: new Date(),
  })
  if (filePort.isRemote(file)) {
    const sink = await filePort.sink(file)
    sink.write(text)
    await sink.complete()
    return sink
  }
  // a device is written into; to put a file in its place would be the end of it
  if (isDevice(file)) naming(file, () => writeFileSync(file, text))
  else writeAtomically(file, text)
  return undefined
}
