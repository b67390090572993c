/**
 * Fills a store to a number of files, as a laboratory would: one folder with a tenth of them, a hundred in each other
 * folder, tables of some 800 bytes with words of their own, and one content in a hundred of 64 KiB in a file [disk].
 */
import type { Staged } from '../../src/drive/persistence/contents/blob-rows.ts'
import { randomFillSync } from 'node:crypto'
import { packagePath } from '../../src/package-root.ts'
import type { FileBody } from '../../src/drive/contract/bodies.ts'
import type { Caller } from '../../src/drive/contract/failure.ts'
import { command } from '../../src/drive/domain/commands.ts'
import { countRows } from '../../src/drive/persistence/database/database.ts'
import { openStore } from '../../src/drive/persistence/store.ts'
import { randomNumbers } from '../support/random-numbers.ts'

const IN_FLIGHT = 256
const CHILDREN = 100
const FOLDER = 'application/vnd.google-apps.folder'
const CENTRES = ['Aachen', 'Birmingham', 'Essen', 'Leiden', 'Minneapolis', 'Nantes', 'Porto', 'Turin', 'Ulm']

const [data = '', size = '0'] = process.argv.slice(2)
const fail = (problem: Error | string) => {
  throw new Error(String(problem))
}
const store = await openStore(data, {
  // as in `hla drive serve`
  writer: { file: packagePath('bin/hla.cjs'), argv: ['__drive-writer'] },
  isService: true,
  onBroken: fail,
  onWarning: fail,
})
const owner = store.read.get<Omit<Caller, 'scopes'>>(
  'SELECT user, client FROM tokens ORDER BY created LIMIT 1',
)
if (owner === undefined) throw new Error('the store was never served')
const caller: Caller = { ...owner, scopes: ['drive'] }
const random = randomNumbers(7)
const large = await largeFolder()
let made = countRows(store.read, `SELECT count(*) AS count FROM files WHERE is_root = 0`)
await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
await store.close()

/** Fills one folder after another. Of every hundred files ten go into the large folder. */
async function lane(): Promise<void> {
  while (made < Number(size)) {
    const first = made
    made += CHILDREN
    const folder = await insert({ title: `week ${first}`, mimeType: FOLDER })
    for (let at = 1; at < CHILDREN; at += 1) await addFile(first + at, at <= CHILDREN / 10 ? large : folder)
  }
}

async function addFile(number: number, parent: string): Promise<void> {
  const centre = CENTRES[number % CENTRES.length] ?? ''
  const parents = [{ id: parent }]
  if (number % 100 === 50) {
    const bytes = randomFillSync(new Uint8Array(64 << 10))
    await insert(
      { title: `reads ${number} of ${centre}.bam`, mimeType: 'application/octet-stream', parents },
      bytes,
    )
  } else
    await insert({ title: `donors ${number} of ${centre}.csv`, mimeType: 'text/csv', parents }, table(number))
}

function table(number: number): Uint8Array {
  const typing = (locus: string) => `${locus}*${pick(80)}:${pick(300)},${locus}*${pick(80)}:${pick(300)}`
  const rows = Array.from({ length: 12 }, (_, at) => {
    return `D${number}X${at},${['A', 'B', 'C', 'DRB1'].map(typing).join(',')}`
  })
  return Buffer.from(rows.join('\n'))
}

function pick(most: number): string {
  return String(1 + Math.floor(random() * most)).padStart(2, '0')
}

async function largeFolder(): Promise<string> {
  const known = store.read.get<{ id: string }>(`SELECT id FROM files WHERE title = 'all of the registry'`)
  return known?.id ?? insert({ title: 'all of the registry', mimeType: FOLDER })
}

async function insert(body: FileBody, bytes?: Uint8Array): Promise<string> {
  const add = (content?: Staged) => command(store, 'insertFile', caller, { body, content })
  const view = await (bytes === undefined ? add() : store.blobs.stage(whole(bytes), () => undefined, add))
  return view.row.id
}

// oxlint-disable-next-line typescript/require-await
async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
