/** What a killed service has left is removed by the next one, and nothing else. */
import { linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import type { Store } from '../../../src/drive/persistence/store.ts'
import { addContent, madeBytes, openTestStore, pieces, runSql } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const contentsOf = ({ folder }: Store) =>
  readdirSync(folder.blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
const sha256Of = (bytes: Uint8Array) => digestBytes(bytes).sha256

/** A content with its second name in the staging folder, as it is until its row is written. */
function publish({ folder }: Store, bytes: Uint8Array, staged: string): void {
  const sha256 = sha256Of(bytes)
  const path = join(folder.blobs, sha256.slice(0, 2), sha256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(folder.staging, staged), bytes)
  linkSync(join(folder.staging, staged), path)
}

test('published contents without a row go, those with one stay, as do uploads that can go on', async () => {
  const [kept, ...lost] = [1, 2, 3].map((seed) => madeBytes(300_000, seed))
  if (kept === undefined) throw new Error('there is no content')
  const store = await openTestStore(temp('killed'))
  await addContent(store, 'kept', pieces(kept))
  for (const [name, state] of [['upload-open', 'open'], ['upload-done', 'done']] as const)
    await runSql(
      store,
      `INSERT INTO uploads(digest, user, client, facts, staged, state, touched) VALUES ('${name}', 1, 1, '', '${name}', '${state}', ${Date.now()})`,
    )
  await store.close()
  for (const [at, bytes] of lost.entries()) publish(store, bytes, `part-${at}`)
  linkSync(join(store.folder.blobs, sha256Of(kept).slice(0, 2), sha256Of(kept)), join(store.folder.staging, 'part-kept'))
  for (const name of ['upload-open', 'upload-done', 'upload-unknown', 'part-alone'])
    writeFileSync(join(store.folder.staging, name), 'x')
  // a program beside a service removes nothing
  const beside = await openTestStore(store.folder.path, { isService: false })
  await beside.close()
  expect(readdirSync(store.folder.staging)).toHaveLength(7)
  const again = await openTestStore(store.folder.path)
  await again.close()
  expect(readdirSync(store.folder.staging)).toEqual(['upload-open'])
  await (await openTestStore(store.folder.path)).close()
  expect(contentsOf(store)).toEqual([sha256Of(kept)])
}) // prettier-ignore
