/** The person of a file that names none: by the name of the file, or of its folder. Pure. */
import { advice, option } from '../../../../advice.ts'
import { basename, dirname, resolve } from 'node:path'
import { HlaError } from '../../../../errors.ts'
import type { RecordSource, SampleFrom } from '../typing-record.ts'

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

/** Rows that name nobody are not all of one person. @throws {HlaError} io */
export function personIn(values: readonly string[], column: number, line: number): string {
  const name = values[column] ?? ''
  if (name.trim() !== '') return name
  throw new HlaError('io', `line ${line}: the row names no sample`, {
    hint: advice`${option('sample-column')} names the column of a long table`,
  })
}
