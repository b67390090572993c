/** The person of a file that names none: by the name of the file, or of its folder. Pure. */
import { basename, dirname, resolve } from 'node:path'
import type { RecordSource, SampleFrom } from './typing-record.ts'

/** `out/S1.hla.tsv.gz` is `S1.hla`, and `out` by its folder. */
export function personName(file: string, from: SampleFrom | undefined): string {
  if (from === 'folder') return basename(dirname(resolve(file)))
  const name = basename(file).replace(/\.(?:gz|zst)$/i, '')
  return name.replace(/(?<=.)\.[^.]*$/, '')
}

/** Asked for, the name of the file is that of its person, whatever its rows say. */
export function namedByFile(source: RecordSource, from: SampleFrom | undefined): RecordSource {
  if (from === undefined || from === 'column') return source
  return {
    ...source,
    async *blocks() {
      for await (const records of source.blocks()) yield records.map((one) => ({ ...one, person: undefined }))
    },
  }
}
