/**
 * What runs at a merge and what at night (HLA_LONG, `npm run test:long`): a tenth of the repetitions of properties and
 * random trials, and a fifth of the corpora.
 */
import { createHash } from 'node:crypto'

export const IS_LONG = process.env['HLA_LONG'] !== undefined

/** `npm test`: a part of the long trials. */
export const IS_QUICK = process.env['HLA_TEST_CUT'] === 'quick'

/** `all`: repetitions of the nightly run; a tenth of a small number is `least` or more. */
export function rounds(all: number, least = 10): number {
  return IS_LONG ? all : Math.min(all, Math.max(least, Math.ceil(all / 10)))
}

/** A fixed fifth of the inputs, by name, at a merge; every input at night. */
export function isInSample(input: string): boolean {
  return IS_LONG || createHash('sha256').update(input).digest().readUInt8(0) % 5 === 0
}
