/** Writes the provenance file of a finished conversion.  [disk] */
import { writeFileSync } from 'node:fs'
import { type DataFacts, type ProvenanceFacts, provenanceText } from '../../batch/provenance.ts'
import { packageVersion } from '../../package-root.ts'
import { writeAtomically } from '../../reference/atomic-write.ts'
import { type Door, isStored } from '../io/door.ts'
import { isDevice } from '../io/part-file.ts'

type OwnFacts = keyof DataFacts | 'program' | 'node' | 'ended'

export async function writeProvenance(
  door: Door,
  file: string,
  data: DataFacts,
  facts: Omit<ProvenanceFacts, OwnFacts>,
): Promise<void> {
  const text = provenanceText({
    ...facts,
    program: packageVersion(),
    node: process.versions.node,
    ...data,
    ended: new Date(),
  })
  if (isStored(file)) {
    const sink = await door.sink(file)
    sink.write(text)
    return sink.finish()
  }
  // a device is written into; to put a file in its place would be the end of it
  if (isDevice(file)) writeFileSync(file, text)
  else writeAtomically(file, text)
}
