/** `hla drive copy`: moves a store between a folder on one machine and a database shared by servers. */
import { HlaError } from '../../../../errors.ts'
import { copyStore, isDatabase } from '../../../../drive/persistence/copy/copy-store.ts'
import { tell } from '../../../../io/stdout.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { checkDatabase } from './database-option.ts'
import { type Printing, printFacts } from '../print.ts'

export interface CopyOptions extends Printing {
  readonly from: string
  readonly to: string
  readonly contents?: string
}

export async function copyCommand({ from, to, contents, ...printing }: CopyOptions): Promise<number> {
  if (contents === undefined)
    throw new HlaError(
      'usage',
      '--contents must name the folder in which the servers of this database keep the contents',
    )
  for (const one of [from, to]) if (isDatabase(one)) checkDatabase(one)
  const { count, bytes, rows, sha256, largestChange } = await copyStore({ from, to, contents })
  printFacts({ rows, contents: count, bytes, largestChange, digest: sha256 }, printing)
  tell('hla: the copy is complete and verified\n')
  return EXIT.ok
}
