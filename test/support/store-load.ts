/** A process that writes to a store until it is killed, and prints each acknowledged change.  [disk] */
import { writeSync } from 'node:fs'
import { isStorageFailure } from '../../src/drive/contract/failure.ts'
import { openStore, type Store } from '../../src/drive/persistence/store.ts'
import { addFile, heldContent, madeBytes, pieces, runSql } from './store.ts'

/** Prints `f title bytes seed` for a file, `u name received seed` for an upload. */
function tell(line: string): void {
  writeSync(1, `${line}\n`)
}

const [folder = '', writer = '', prefix = ''] = process.argv.slice(2)
const IN_FLIGHT = 16
/** Content sizes in bytes: empty, kept in the database, kept as a file. */
const SIZES = [0, 3000, 40_000]
const BLOCK = 262_144

const store = await openStore(folder, {
  writer: { file: writer },
  isService: true,
  onBroken(error) {
    writeSync(2, `broken: ${error.message}\n`)
    // process.exit aborts if a thread is inside SQLite
    process.kill(process.pid, 'SIGKILL')
  },
  onWarning: (text) => writeSync(2, `${text}\n`),
})
tell('ready')
const lanes = Array.from({ length: IN_FLIGHT }, (_, lane) =>
  lane === 0 ? upload(store) : write(store, lane),
)
await Promise.all(lanes.map((lane) => lane.catch(report)))

/** Ignores refusals, which acknowledge nothing; the store reports other failures. */
function report(error: unknown): void {
  if (!isStorageFailure(error)) writeSync(2, `${String(error)}\n`)
}

async function write(to: Store, lane: number): Promise<void> {
  for (let count = 0; ; count++) {
    const title = `${prefix}-${lane}-${count}`
    const seed = lane * 1_000_000 + count
    const size = SIZES[count % SIZES.length] ?? 0
    const staged = await heldContent(to.blobs, pieces(madeBytes(size, seed)))
    await addFile(to, title, staged)
    tell(`f ${title} ${size} ${seed}`)
  }
}

/** Uploads in blocks, and prints each recorded block. */
async function upload(to: Store): Promise<void> {
  for (let count = 0; ; count++) {
    const name = to.blobs.uploads.newName()
    const bytes = madeBytes(BLOCK * 4, count)
    await runSql(
      to,
      `INSERT INTO uploads(digest, user, client, facts, total, received, staged, state, result, touched) VALUES ('${name}', 1, 1, '', ${bytes.length}, 0, '${name}', 'open', NULL, 0)`,
    )
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const { length } = await to.blobs.uploads.append(
        name,
        at,
        pieces(bytes.subarray(at, at + BLOCK)),
        () => undefined,
      )
      await runSql(to, `UPDATE uploads SET received = ${length} WHERE digest = '${name}'`)
      tell(`u ${name} ${length} ${count}`)
    }
  }
}
