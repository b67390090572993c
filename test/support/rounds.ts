/** Repetitions of properties and random trials: a tenth at a merge, all with HLA_LONG (`npm run test:long`). */

export const IS_LONG = process.env['HLA_LONG'] !== undefined

/** `npm test`: a part of the long trials. */
export const IS_QUICK = process.env['HLA_TEST_CUT'] === 'quick'

/** `all`: repetitions of the nightly run. Small numbers are reduced to no less than ten. */
export function rounds(all: number): number {
  return IS_LONG ? all : Math.min(all, Math.max(10, Math.ceil(all / 10)))
}
