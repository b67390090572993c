/**
 * What runs at a merge and what at night (HLA_LONG, `npm run test:long`): a tenth of the repetitions of properties and
 * random trials, and a fifth of the corpora, of which `npm test` has a tenth.
 */
import { crc32 } from 'node:zlib'

export const IS_LONG = process.env['HLA_LONG'] !== undefined

/** `npm test`: a part of the long trials. */
export const IS_QUICK = process.env['HLA_TEST_CUT'] === 'quick'

/** `all`: repetitions of the nightly run; a tenth of a small number is `least` or more. */
export function rounds(all: number, least = 10): number {
  return IS_LONG ? all : Math.min(all, Math.max(least, Math.ceil(all / 10)))
}

/** At a merge every fifth input, or every `every`th, fixed by name; a tenth of those in `npm test`, all at night. */
export function isInSample(input: string, every = 5): boolean {
  return IS_LONG || crc32(input) % (IS_QUICK ? 10 * every : every) === 0
}
