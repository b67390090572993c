/** The address of the service, for which alone assertions are good: fixed at the first start, or told; never what a request says (spec 3). */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'

export interface Address {
  /** By the operator: it counts from now on. */
  readonly told?: string | undefined
  /** Where the service listens: it counts if nothing was ever said. Undefined: at all addresses. */
  readonly own?: string | undefined
}

export function keepAddress(tx: Transaction, _caller: Caller, { told, own }: Address): void {
  if (told !== undefined) tx.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('address', ?)`, told)
  else if (own !== undefined) tx.run(`INSERT OR IGNORE INTO settings(name, value) VALUES ('address', ?)`, own)
}

/** As whoever signs may write it. Empty: it is not known, or the store is a copy that was not told where it is. */
export function addresses(db: Database): string[] {
  const address = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'address'`)?.value ?? ''
  if (address === '') return []
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)(\[[^\]]*\]|[^:/]*)(.*)$/.exec(address) ?? []
  if (!LOOPBACK.includes(host)) return [address]
  return LOOPBACK.map((name) => `${scheme}${name}${rest}`)
}

/** All of them are this machine. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
