/** `hla drive backup` of a shared store, beside its servers: a backup as of a store of one machine, which is restored as one.  [disk, network] */
import { lockSharedContents } from '../shared/database-locks.ts'
import { withClient } from '../shared/postgres.ts'
import { type BackupReport, finishedBeside, withDatabase, writeManifest } from '../upkeep/backup.ts'
import type { Copying } from '../upkeep/contents/copy-content.ts'
import { bringContents } from '../upkeep/contents/fetch-content.ts'
import { fetchDatabase, findDatabaseStore, separateDatabase, withContents } from './database-store.ts'

/** The state of one moment. @throws {HlaError} not-found; io — `to` is not empty; data-differs — a content is damaged */
export function backupDatabase(
  { url, contents }: { readonly url: string; readonly contents: string },
  to: string,
  copying: Copying,
): Promise<BackupReport> {
  return withClient(url, async (client) => {
    const { identity: store } = await findDatabaseStore(client)
    // the rows are in a folder that is yet to be made
    return withContents({ path: to, contents, store }, async (from) => {
      await lockSharedContents(client)
      return finishedBeside(to, async (made) => {
        await fetchDatabase(client, { url, database: made.database })
        await separateDatabase(made.database)
        const copied = await withDatabase(made, (rows) => bringContents(from, made, rows, copying))
        await writeManifest(made, copied)
        return copied
      })
    })
  })
}
