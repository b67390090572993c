/** How often a server makes its copy of a shared store anew before it ends: what damages it does not stop by itself. */
import { HlaError } from '../../../errors.ts'

/** So often within so many ms. */
const [MOST, WITHIN] = [20, 3_600_000]

/** @returns called for each copy that is given up: at which ms, and why. @throws {HlaError} io — there were too many */
export function remakeLimit(folder: string): (at: number, reason: string) => void {
  const times: number[] = []
  return (at, reason) => {
    times.push(at)
    const [first = at] = times.slice(-1 - MOST)
    if (times.length <= MOST || at - first > WITHIN) return
    throw new HlaError(
      'io',
      `the copy of the store was damaged ${MOST + 1} times within an hour: ${reason}`,
      {
        offending: folder,
        hint: 'Nothing acknowledged is lost: PostgreSQL has it. Check the disk, and which other programs write to the folder, and start the server again.',
      },
    )
  }
}
