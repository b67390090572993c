/** Random faults that change nothing which a test could see, each with the reason. `npm run mutants -- --random` does not run them. */

interface Equivalent {
  readonly file: string
  /** The line where the fault begins, without the space around it. */
  readonly text: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

export const EQUIVALENT: readonly Equivalent[] = []
