/** A process that makes lists from the database: one at a time, and ended by whoever asked when it takes too long.  [disk] */
import type { ListCall } from '../requests/list-call.ts'
import { invalid } from '../../contract/failure.ts'
import { forgetUsers } from '../../domain/access/principals.ts'
import { findMethod } from '../../contract/methods.ts'
import { parseFields } from '../../protocol/answers/fields.ts'
import { type ReadStore, openForReading, readStore } from '../../persistence/database/open-database.ts'
import { SQLITE, sqliteCode } from '../../persistence/database/sqlite.ts'
import { sentError } from '../../persistence/writer/writer-messages.ts'
import { formatJson, makeLinks } from '../answers/json.ts'
import type { FromLister, ListMade, ListRequest } from './listers.ts'
import { LIST_HANDLERS } from './table.ts'

/** Bytes that SQLite may take, for sets of items that a search makes as well as for pages. */
const MOST_MEMORY = 256 << 20

/** Of the database at `path`. */
export async function serveLists(path: string): Promise<void> {
  const read = await openForReading(path)
  read.exec(`PRAGMA hard_heap_limit=${MOST_MEMORY}; PRAGMA cache_size=-16384`)
  const store = readStore(read)
  // a service that is gone hears nothing; the end of its channel ends this process
  const tell = (message: FromLister) => process.send?.(message, undefined, undefined, () => undefined)
  // the service is gone, however it ended
  process.on('disconnect', () => process.exit())
  // sent to all processes of a terminal or a unit: the service goes on until its requests are answered
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('message', (asked: ListRequest) => {
    // nobody tells this process of a new name
    forgetUsers(store.read)
    try {
      tell({ made: listMade(store, asked) })
    } catch (error) {
      tell({ error: sentError(sqliteCode(error) === SQLITE.noMemory ? tooMuch() : error) })
    }
  })
  tell('ready')
}

function tooMuch(): Error {
  return invalid('The list needs too much memory: ask for less of it.')
}

/** @throws {StorageFailure} what the operation refuses */
function listMade(store: ReadStore, { base, url, method: id, ...asked }: ListRequest): ListMade {
  const [method, handler] = [findMethod(id), LIST_HANDLERS.get(id)]
  if (handler === undefined || method.response === undefined) throw new Error(`${id} is no list`)
  const selection = parseFields(asked.parameters.fields, method.response)
  const call: ListCall = { ...asked, method, drive: { store }, links: makeLinks(base), request: { url } }
  const answer = handler(call, selection)
  if (answer.kind !== 'resource') throw new Error(`${id} answered with no list`)
  return { etag: answer.etag, text: formatJson(answer.make(selection)) }
}
