/** Users as others see them. */
import type { Database } from '../store/database.ts'

export interface UserView {
  readonly pk: number
  /** The permission id: decimal. */
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly picture: string | null
}

export function userView(db: Database, pk: number | null): UserView | undefined {
  if (pk === null) return undefined
  return db.get<UserView>('SELECT pk, id, name, email, picture FROM principals WHERE pk = ?', pk)
}
