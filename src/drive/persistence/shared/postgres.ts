/** Connections to PostgreSQL: bounded in what they wait for, and made by the one package that is loaded for it.  [network] */
import type { Client } from 'pg'
import { HlaError, errorMessage } from '../../../errors.ts'

/** ms that a server may hold its turn, or wait for it, before others go on. */
const LONGEST_TURN = 10_000
/** ms to wait for a connection. */
const PATIENCE = 5000

/** `isLong`: for work that takes as long as it takes. `lost` is called when it ends by itself. */
export async function connect(url: string, isLong: boolean, lost: () => void): Promise<Client> {
  const { Client: PgClient } = await loadPackage()
  const most = isLong ? 0 : LONGEST_TURN
  const client = new PgClient({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE,
    keepAlive: true,
    application_name: 'hla drive',
    statement_timeout: most,
    lock_timeout: LONGEST_TURN,
    idle_in_transaction_session_timeout: most,
  })
  client.on('error', lost)
  await client.connect()
  return client
}

/** @throws {HlaError} io — it was not installed */
async function loadPackage(): Promise<{ readonly Client: typeof Client }> {
  try {
    return await import('pg')
  } catch (cause) {
    throw new HlaError('io', 'a shared store needs the package pg, which cannot be loaded', {
      hint: 'install hla again with its optional packages',
      cause,
    })
  }
}

/** For work that may take long. @throws {HlaError} io — it is out of reach */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url, true, () => undefined).catch((cause: unknown) => {
    throw new HlaError('io', `cannot reach the database of the store: ${errorMessage(cause)}`, { cause })
  })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function inTransaction<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
