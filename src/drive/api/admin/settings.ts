/** Who asks, the limits of the store, and what was administered. */
import { LIMIT_NAMES, LIMITS } from '../../contract/limits.ts'
import { notFound } from '../../contract/failure.ts'
import { administerStore } from '../../domain/administration/administer.ts'
import { isAdministrator } from '../../domain/administration/administrators.ts'
import { pageOfRecords, type RecordFacts } from '../../domain/administration/lists.ts'
import { readLimits } from '../../domain/limits.ts'
import type { Database } from '../../persistence/database/database.ts'
import { idIn } from '../requests/call.ts'
import type { AdminHandlers } from './call.ts'
import { dateOrNone, listAnswer } from './list-answer.ts'

type SettingsId = `${'self' | 'limits' | 'log'}.${string}`

export const SETTINGS: Pick<AdminHandlers, Extract<keyof AdminHandlers, SettingsId>> = {
  /** For the page, which would else have to ask for what it is refused. */
  'self.get': ({ drive, caller }) => ({ isAdministrator: isAdministrator(drive.store.read, caller) }),
  'limits.list': ({ drive }) => ({ items: describeLimits(drive.store.read) }),
  async 'limits.update'({ drive, caller, path, body }) {
    const name = idIn({ path }, 'name')
    await administerStore(drive.store, caller, {
      command: 'setLimit',
      input: { name, value: body.value ?? null },
    })
    const changed = describeLimits(drive.store.read).find((limit) => limit.name === name)
    if (changed === undefined) throw notFound('Limit', name)
    return changed
  },
  'log.list': ({ drive, page }) => listAnswer(pageOfRecords(drive.store.read, page), describeRecord),
}

function describeLimits(db: Database) {
  const now = readLimits(db)
  return LIMIT_NAMES.map((name) => ({
    name,
    of: LIMITS[name].of,
    value: now[name],
    standard: LIMITS[name].standard,
  }))
}

function describeRecord({ at, actor, email, command, subject, detail }: RecordFacts) {
  return {
    date: dateOrNone(at),
    by: actor === 0 ? null : email,
    command,
    subject,
    // as it was written down
    detail: JSON.parse(detail) as Readonly<Record<string, unknown>>,
  }
}
