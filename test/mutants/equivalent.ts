/** Random faults that change nothing which a test could see, each with the reason. `npm run mutants -- --random` does not run them. */

interface Equivalent {
  readonly file: string
  /** The line where the fault begins, without the space around it. */
  readonly text: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

const HEADER_ROWS = 'more rows that begin like the header take the ordinary way, which writes the same row'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/table/fast/fast-converter.ts',
    text: 'return groups.every((group) =>',
    from: 'every',
    to: 'some',
    reason: HEADER_ROWS,
  },
  {
    file: 'src/table/fast/fast-converter.ts',
    text: 'group.columns.every((column) => {',
    from: 'every',
    to: 'some',
    reason: HEADER_ROWS,
  },
]
