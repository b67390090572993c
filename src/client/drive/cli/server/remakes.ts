/** Limit on how often a server of a shared store rebuilds its copy: repeated damage has a cause that a rebuild does not remove. */
import { HlaError } from '../../../../errors.ts'

/** Rebuilds allowed within a time in ms. */
const [MOST, WITHIN] = [20, 3_600_000]

/** Returns a function to call before each rebuild, with the time in ms and the reason. It throws {HlaError} io above the limit. */
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
