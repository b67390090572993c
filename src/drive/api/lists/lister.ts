/** Lister process: makes one list at a time from the database. The service kills it when a list takes too long.  [disk] */
import type { ListCall } from '../requests/parts.ts'
import { invalid } from '../../contract/failure.ts'
import { forgetUsers } from '../../domain/access/principals.ts'
import { findMethod } from '../../contract/methods.ts'
import { parseFields } from '../../protocol/answers/fields.ts'
import { type ReadStore, openForReading, readStore } from '../../persistence/database/open-database.ts'
import { SQLITE, sqliteCode } from '../../persistence/database/sqlite.ts'
import { encodeError } from '../../persistence/writer/writer-messages.ts'
import { formatJson, makeLinks } from '../answers/json.ts'
import type { FromLister, ListMade, ListRequest } from './listers.ts'
import { LIST_HANDLERS } from './table.ts'

/** Bytes SQLite may allocate, for pages and for sets of items in a search. */
const MAX_MEMORY_BYTES = 256 << 20

/** Serves lists of the database at `path`. */
export async function serveLists(path: string): Promise<void> {
  const read = await openForReading(path)
  read.exec(`PRAGMA hard_heap_limit=${MAX_MEMORY_BYTES}; PRAGMA cache_size=-16384`)
  const store = readStore(read)
  // errors are ignored: when the service ends, the closed channel ends this process
  const tell = (message: FromLister) => process.send?.(message, undefined, undefined, () => undefined)
  // the service has ended
  process.on('disconnect', () => process.exit())
  // signals reach all processes of a terminal or unit; the service still needs lists for its open requests
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('message', (asked: ListRequest) => {
    // this process gets no notice of a renamed user
    forgetUsers(store.read)
    try {
      tell({ made: listMade(store, asked) })
    } catch (error) {
      tell({ error: encodeError(sqliteCode(error) === SQLITE.noMemory ? tooMuch() : error) })
    }
  })
  tell('ready')
}

function tooMuch(): Error {
  return invalid('The list needs too much memory: request fewer items or fields.')
}

/** @throws {StorageFailure} failures of the operation */
function listMade(store: ReadStore, { base, url, method: id, ...asked }: ListRequest): ListMade {
  const [method, handler] = [findMethod(id), LIST_HANDLERS.get(id)]
  if (handler === undefined || method.response === undefined) throw new Error(`${id} is no list`)
  const selection = parseFields(asked.parameters.fields, method.response)
  const call: ListCall = { ...asked, method, drive: { store }, links: makeLinks(base), request: { url } }
  const answer = handler(call, selection)
  if (answer.kind !== 'resource') throw new Error(`${id} did not answer with a list`)
  return { etag: answer.etag, text: formatJson(answer.make(selection)) }
}
