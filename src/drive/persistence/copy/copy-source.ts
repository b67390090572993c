/** What is to be copied: which store it is, and what its rows come to. */
import { createHash } from 'node:crypto'
import { HlaError } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import type { CopiedContents } from '../upkeep/contents/copy-content.ts'
import { digestRows, type RowDigest } from './row-digest.ts'

export interface CopySource {
  /** The same for a store and its copies. */
  readonly identity: string
  readonly rows: RowDigest
  readonly largestChange: number
}

/** What was copied. */
export interface CopyReport extends CopiedContents, RowDigest {
  readonly largestChange: number
}

/** @throws {HlaError} not-found — nothing was ever stored in it */
export function readSource(connection: Connection): CopySource {
  const key = connection.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'id-key'`)?.value
  if (key === undefined)
    throw new HlaError('not-found', 'the store was never served: there is nothing to copy', {
      hint: 'hla drive serve sets a store up',
    })
  return {
    // the key itself stays a secret
    identity: createHash('sha256').update(`copy of ${key}`).digest('hex'),
    rows: digestRows(connection),
    largestChange: connection.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM changes')?.seq ?? 0,
  }
}

/** @throws {HlaError} data-differs */
export function compareRows(connection: Connection, { rows: { rows, sha256 } }: CopySource): void {
  const found = digestRows(connection)
  if (found.sha256 === sha256) return
  throw new HlaError(
    'data-differs',
    `the copy has ${found.rows} rows that are not the ${rows} of the store that was copied`,
  )
}
