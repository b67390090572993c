/** Users as others see them. */
import type { Database } from '../../persistence/database/database.ts'
import type { Remembered } from '../../persistence/database/memory.ts'

export interface UserView {
  readonly pk: number
  /** The permission id: decimal. */
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly picture: string | null
}

interface Known {
  readonly user: UserView
  /** Looked up again then: ms of this process. */
  readonly until: number
}

const USERS: Remembered<Map<number, Known>> = { make: () => new Map() }
const MOST_KNOWN = 10_000

/** Few people are behind many items: they are remembered for a few seconds. */
const REMEMBERED = 5000

export function userView(db: Database, pk: number | null): UserView | undefined {
  if (pk === null) return undefined
  const users = db.memory.recall(USERS)
  const now = performance.now()
  const found = users.get(pk)
  if (found !== undefined && found.until > now) return found.user
  const user = db.get<UserView>('SELECT pk, id, name, email, picture FROM principals WHERE pk = ?', pk)
  if (users.size >= MOST_KNOWN) users.clear()
  if (user !== undefined) users.set(pk, { user, until: now + REMEMBERED })
  return user
}

/** One of them has another name. */
export function forgetUsers(db: Database): void {
  db.memory.forget(USERS)
}
