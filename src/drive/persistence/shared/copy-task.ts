/** A thread that reads every row of a shared store, to make a snapshot or to check this server's copy.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import { errorMessage } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { readPosition, readProof } from '../database/log-position.ts'
import { openForReading, withConnection } from '../database/open-database.ts'
import { stateText, sumText } from '../database/state-digest.ts'
import { withClient } from './postgres.ts'
import { CopyDiffers, readDigest } from './server-copy.ts'
import { keepSnapshots, type SnapshotTask } from './snapshots.ts'

export interface CopyTask {
  readonly snapshot?: SnapshotTask
  /** Path of the database to check. */
  readonly check?: string
}

export interface CheckedCopy {
  /** Log entry at which the copy was checked. */
  readonly number: number
  /** Sum of the rows read. */
  readonly sum: string
  /** Undefined if the rows match the log. */
  readonly problem?: string
}

export type FromTask =
  | { readonly warning: string }
  | { readonly checked: CheckedCopy }
  | { readonly failed: string }
  | 'done'

/** Entry point of the thread. */
export async function serveCopyTask({ snapshot, check }: CopyTask, port: MessagePort): Promise<void> {
  const tell = (message: FromTask) => port.postMessage(message)
  try {
    if (snapshot !== undefined)
      await withClient(snapshot.url, (client) =>
        keepSnapshots(client, snapshot, (warning) => tell({ warning })),
      )
    if (check !== undefined) tell({ checked: await checkCopy(check) })
    tell('done')
  } catch (error) {
    tell({ failed: errorMessage(error) })
  } finally {
    port.close()
  }
}

/** Reads all rows as of one entry, while the writer keeps working. */
function checkCopy(path: string): Promise<CheckedCopy> {
  return withConnection(openForReading(path), async (connection) => {
    const { number, known } = await beginProven(connection)
    const found = readDigest(connection)
    const checked = { number, sum: sumText(found.rows) }
    if (stateText(known) === stateText(found)) return checked
    return {
      ...checked,
      problem: `the rows of the copy of the store are not those of entry ${number} of its log`,
    }
  }).catch((error: unknown) => {
    if (error instanceof CopyDiffers) return { number: 0, sum: '', problem: error.message }
    throw error
  })
}

/** Begins a read transaction at an entry with a digest. Under load about one entry in forty has one. */
async function beginProven(connection: Connection) {
  for (const until = performance.now() + PATIENCE; ;) {
    connection.exec('BEGIN')
    const number = readPosition(connection)?.number ?? 0
    const known = readProof(connection)
    if (known !== undefined) return { number, known }
    connection.exec('COMMIT')
    if (performance.now() > until) throw new Error('none of its entries had a digest')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Maximum ms to wait for such an entry. */
const PATIENCE = 60_000
