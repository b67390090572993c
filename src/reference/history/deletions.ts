/** The deletions of a compiled history, by name and by accession number. */
import type { Deletion } from './model.ts'

export interface DeletionIndex {
  readonly byName: ReadonlyMap<string, Deletion>
  readonly byAccession: ReadonlyMap<string, Deletion>
}

/** Some 270 lines, read when first asked for. Where two lines have one key, the first counts. */
export function readDeletions(bytes: Uint8Array): DeletionIndex {
  const byName = new Map<string, Deletion>()
  const byAccession = new Map<string, Deletion>()
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const [accession, name, description] = line.split('\t')
    if (accession === undefined || name === undefined || description === undefined) continue
    const deletion = { accession, name, description }
    if (!byName.has(name)) byName.set(name, deletion)
    if (!byAccession.has(accession)) byAccession.set(accession, deletion)
  }
  return { byName, byAccession }
}
