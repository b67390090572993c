/** Properties of a shared drive that apply to everything in it. */
import type { DriveBody } from '../../contract/bodies.ts'
import type { Database } from '../../persistence/database/database.ts'

export type Restrictions = NonNullable<DriveBody['restrictions']>

/** Plain data: it comes back from the writer thread. */
export interface DriveFacts {
  /** Of its root folder, and of the drive. */
  readonly id: string
  /** The domain whose users may be members if `domainUsersOnly` is set. */
  readonly domain: string | null
  readonly restrictions: Restrictions
  /** Changes with any of the others. */
  readonly version: number
}

interface DriveFactsRow {
  readonly id: string
  readonly domain: string | null
  readonly restrictions: string
  readonly version: number
}

const FACTS =
  'SELECT f.id, f.version, d.domain, d.restrictions FROM drives d JOIN files f ON f.pk = d.root WHERE d.root = ?'

/** `drive`: as `files.drive` has it. */
export function driveFacts(db: Database, drive: number): DriveFacts {
  const row = db.get<DriveFactsRow>(FACTS, drive)
  if (row === undefined) throw new Error(`there is no shared drive ${drive}`)
  // a column that only drives.ts writes
  return { ...row, restrictions: JSON.parse(row.restrictions) as Restrictions }
}
