/** Whether an error at one typing of a table is of the whole table: then every other one would fail alike. Pure. */
import { endsRun, errorKind, type HlaError } from '../../errors.ts'

/** An allele of every release. */
export const PLAIN_NAME = 'A*01:01'

/** So does a plain name, when it is the table's; codes and names of another release need more data than it does. */
export function endsTable(error: HlaError, askPlainName: () => unknown): boolean {
  if (!endsRun(error)) return false
  if (errorKind(error.code).about === 'world') return true
  try {
    askPlainName()
    return false
  } catch {
    // also where who answers is far away and was not asked: nothing is known
    return true
  }
}
