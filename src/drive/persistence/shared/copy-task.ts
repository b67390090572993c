/** A thread that reads every row of a shared store: it makes a snapshot, or checks this server's copy.  [disk, network] */
import type { MessagePort } from 'node:worker_threads'
import { errorMessage } from '../../../errors.ts'
import type { Connection } from '../database/connection.ts'
import { readPosition, readProof } from '../database/log-position.ts'
import { openForReading } from '../database/open-database.ts'
import { stateText, sumText } from '../database/state-digest.ts'
import { withClient } from './postgres.ts'
import { CopyDiffers, readDigest } from './replica.ts'
import { keepSnapshots, type SnapshotTask } from './snapshots.ts'

/** What such a thread is given. */
export interface CopyTask {
  readonly snapshot?: SnapshotTask
  /** Path of a database. */
  readonly check?: string
}

export interface CheckedCopy {
  /** Entry of the log that the copy was at. */
  readonly number: number
  /** Sum of its rows as they were read. */
  readonly sum: string
  /** undefined: its rows are those that its entries add up to. */
  readonly problem?: string
}

export type FromTask =
  | { readonly warning: string }
  | { readonly checked: CheckedCopy }
  | { readonly failed: string }
  | 'done'

/** In the thread. */
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

/** Beside the writer: all rows as they are at one entry. */
async function checkCopy(path: string): Promise<CheckedCopy> {
  const connection = await openForReading(path)
  try {
    const { number, known } = await beginProven(connection)
    const found = readDigest(connection)
    const checked = { number, sum: sumText(found.rows) }
    if (stateText(known) === stateText(found)) return checked
    return {
      ...checked,
      problem: `the rows of the copy of the store are not those of entry ${number} of its log`,
    }
  } catch (error) {
    if (error instanceof CopyDiffers) return { number: 0, sum: '', problem: error.message }
    throw error
  } finally {
    connection.close()
  }
}

/** A transaction at an entry with a digest: under load every fortieth has one or so. */
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

/** ms */
const PATIENCE = 60_000
