/** Regular long tasks of a shared store, in threads beside the writer: snapshots, and checks of this server's copy.  [threads] */
import { errorMessage } from '../../../errors.ts'
import { threadOptions } from '../../../package-root.ts'
import type { StoreFolder } from '../folder.ts'
import type { WriterEntry, WriterEvents } from '../writer/writer.ts'
import type { CheckedCopy, CopyTask, FromTask } from './copy-task.ts'
import type { Leadership } from './leadership.ts'
import { CopyDiffers } from './server-copy.ts'
import type { CopyChecker } from './running-copies.ts'

/** @throws the error of the task */
async function runTask(
  entry: WriterEntry,
  task: CopyTask,
  warn: (text: string) => void,
): Promise<CheckedCopy | undefined> {
  const { Worker } = await import('node:worker_threads')
  const worker = new Worker(entry.file, { ...threadOptions(entry), workerData: { task } })
  // closing the service does not wait for the thread
  worker.unref()
  return new Promise((resolve, reject) => {
    let checked: CheckedCopy | undefined
    worker.on('message', (message: FromTask) => {
      if (message === 'done') resolve(checked)
      else if ('warning' in message) warn(message.warning)
      else if ('checked' in message) ({ checked } = message)
      else reject(new Error(message.failed))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the thread ended')))
  })
}

/** ms between checks whether a snapshot is due, and between checks of the copy. */
const [SNAPSHOTS, CHECKS] = [60_000, 3_600_000]

/** Checks this server's copy on request. A copy that differs stops the server once the result is sent. */
export function copyChecker({ folder, writer, ...events }: Tasks): CopyChecker {
  return {
    folder: folder.path,
    check: () => runTask(writer, { check: folder.database }, events.onWarning),
    told(checked) {
      if (checked?.problem !== undefined) events.onBroken(new CopyDiffers(checked.problem))
    },
  }
}

interface Tasks extends WriterEvents {
  readonly url: string
  readonly folder: StoreFolder
  readonly writer: WriterEntry
}

/** @returns a function that stops the tasks */
export function runCopyTasks(
  { url, folder, writer, ...events }: Tasks,
  { isLeader }: Leadership,
): () => void {
  const { database } = folder
  const snapshot = () =>
    runTask(writer, { snapshot: { url, file: `${database}.snapshot` } }, events.onWarning)
  let hasEnded = false
  const check = async () => {
    const checked = await runTask(writer, { check: database }, events.onWarning)
    if (!hasEnded && checked?.problem !== undefined) events.onBroken(new CopyDiffers(checked.problem))
  }
  const timers = [
    repeat(
      SNAPSHOTS,
      async () => void (isLeader() && (await snapshot())),
      (reason) => events.onWarning(`no snapshot of the store was written: ${reason}`),
    ),
    repeat(CHECKS, check, (reason) => events.onWarning(`the copy was not checked: ${reason}`)),
  ]
  return () => {
    hasEnded = true
    for (const timer of timers) clearInterval(timer)
  }
}

/** Runs never overlap. */
function repeat(often: number, work: () => Promise<void>, failed: (reason: string) => void): NodeJS.Timeout {
  let isBusy = false
  return setInterval(() => {
    if (isBusy) return
    isBusy = true
    work()
      .catch((error: unknown) => failed(errorMessage(error)))
      .finally(() => (isBusy = false))
  }, often)
}
