/** At the end of every command: what it changed becomes messages of the channels whose users see it, in its own transaction. */
import type { Commands } from '../../persistence/writer/command.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import {
  CHANNEL,
  type ChannelRow,
  isWaiting,
  lastSeen,
  queueNotice,
  restoreSearch,
  restoreWatcher,
} from './channel-rows.ts'
import { clearNotes, type Noted, takeNotes } from '../changes/change-notes.ts'
import { listChanges } from '../changes/list-changes.ts'
import { describeNotice, seenState } from './watched-file.ts'

/** The same commands, each of which leaves what there is to tell. */
export function withNotices<Table extends Commands>(table: Table): Table {
  const commands = Object.entries(table).map(([name, run]): [string, Commands[string]] => [
    name,
    (tx, caller, input) => {
      clearNotes(tx)
      const result = run(tx, caller, input)
      const noted = takeNotes(tx)
      if (noted !== undefined) queueAll(tx, noted)
      return result
    },
  ])
  // the same names with functions of the same types
  return Object.fromEntries(commands) as unknown as Table
}

function queueAll(tx: Transaction, { items, folders, first }: Noted): void {
  const sql = `${CHANNEL} WHERE item IN (SELECT value FROM json_each(?)) AND expires > ?`
  const keys = JSON.stringify([...new Set([...items, ...folders])])
  for (const channel of tx.all<ChannelRow>(sql, keys, tx.now))
    queueFileNotices(tx, channel, folders.has(channel.item ?? 0))
  if (first !== undefined) queueLogNotices(tx, first)
}

function queueFileNotices(tx: Transaction, channel: ChannelRow, hasOtherChildren: boolean): void {
  if (channel.item === null) return
  const after = seenState(tx, restoreWatcher(channel), channel.item)
  const notice = describeNotice(lastSeen(channel), after, hasOtherChildren)
  if (notice === undefined) return
  const seen = after === undefined ? null : JSON.stringify(after)
  tx.run('UPDATE channels SET seen = ? WHERE pk = ?', seen, channel.pk)
  queueNotice(tx, channel, notice)
}

/** Those that have not told of an earlier change yet will tell of this one with it. */
function queueLogNotices(tx: Transaction, first: number): void {
  const sql = `${CHANNEL} WHERE item IS NULL AND expires > ?
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE channel = channels.pk AND state = 'change')`
  const known = new Map<string, boolean>()
  for (const channel of tx.all<ChannelRow>(sql, tx.now)) {
    const key = [channel.user, channel.client, channel.scopes, channel.hides_drives, channel.search].join()
    let isShown = known.get(key)
    if (isShown === undefined) known.set(key, (isShown = showsChanges(tx, channel, first)))
    if (isShown) queueNotice(tx, channel, { state: 'change', changed: undefined })
  }
}

/** After a message of the log was told: there may be entries that came after it had left. */
export function queueRest(tx: Transaction, channel: ChannelRow, from: number): void {
  if (!isWaiting(tx, channel.pk, 'change') && showsChanges(tx, channel, from))
    queueNotice(tx, channel, { state: 'change', changed: undefined })
}

/** Whether the list of changes would show the watcher anything from that entry on. */
function showsChanges(db: Database, channel: ChannelRow, from: number): boolean {
  const search = { ...restoreSearch(channel), from, most: 1 }
  return listChanges(db, restoreWatcher(channel), search).changes.length > 0
}
