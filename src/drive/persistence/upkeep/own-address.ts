/** A copy is not where the store was: what was signed for that must not open it too, so it waits to be told where it is. */
import type { Connection } from '../database/connection.ts'

export function forgetAddress(connection: Connection): void {
  connection.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('address', '')`)
}
