/** Writes the provenance file of a finished conversion.  [disk] */
import { writeFileSync } from 'node:fs'
import { type DataFacts, type ProvenanceFacts, provenanceText } from '../../batch/provenance.ts'
import { packageVersion } from '../../package-root.ts'
import { writeAtomically } from '../../reference/atomic-write.ts'
import { fileIdentity } from '../io/file-identity.ts'
import { argvWithSettings } from '../settings.ts'
import { isDevice } from '../io/part-file.ts'

type OwnFacts = keyof DataFacts | 'program' | 'node' | 'argv' | 'output' | 'ended'

/** `file` is the provenance file, `output` what it is about. */
export async function writeProvenance(
  file: string,
  output: string,
  data: DataFacts,
  facts: Omit<ProvenanceFacts, OwnFacts>,
): Promise<void> {
  const text = provenanceText({
    ...facts,
    program: packageVersion(),
    node: process.versions.node,
    argv: argvWithSettings(),
    ...data,
    output: await fileIdentity(output),
    ended: new Date(),
  })
  // a device is written into; to put a file in its place would be the end of it
  if (isDevice(file)) writeFileSync(file, text)
  else writeAtomically(file, text)
}
