/** Finds the two files that a command line compares, and the releases of their names. */
import { HlaError } from '../../../../errors.ts'

export interface ComparedFiles {
  readonly files: readonly [left: string, right: string]
  /** undefined: the answering release, for both. */
  readonly releases: readonly [left: string, right: string] | undefined
}

/**
 * Returns undefined to compare releases over typings or one table.
 * Two arguments that are not releases are files. With two releases, two `-i` files may be tables or lists, so the
 * reader decides.
 * `leading` are the first two arguments, `typings` those after them.
 * @throws {HlaError} usage
 */
export function readComparedFiles(
  leading: readonly unknown[],
  typings: readonly string[],
  input: readonly string[] | undefined,
): ComparedFiles | undefined {
  const [first, second] = leading.map((one) => (typeof one === 'string' ? one : undefined))
  if (first === undefined) {
    const [left, right, another] = input ?? []
    if (left === undefined) throw missing('from_release')
    if (right === undefined || another !== undefined)
      throw new HlaError('usage', `hla diff compares two files; ${input?.length ?? 0} given`, {
        hint: 'hla diff -i FILE -i FILE, or hla diff FROM_RELEASE TO_RELEASE -i FILE',
      })
    return { files: [left, right], releases: undefined }
  }
  if (second === undefined) throw missing('to_release')
  if (isRelease(first) || isRelease(second)) return undefined
  if (typings.length > 0 || input !== undefined)
    throw new HlaError(
      'usage',
      `${first} and ${second} are not releases; to compare two files, give only the files`,
      {
        hint: 'hla diff FILE FILE, or hla diff FROM_RELEASE TO_RELEASE typings',
      },
    )
  return { files: [first, second], releases: undefined }
}

/** `./3580` is a file. */
export function isRelease(text: string): boolean {
  return /^(?:\d[\d.]*(?:-[\w.-]+)?|active|starter|latest)$/.test(text)
}

function missing(name: string): HlaError {
  return new HlaError('usage', `missing required argument '${name}'`, {
    hint: 'hla diff FROM_RELEASE TO_RELEASE typings, or two files: hla diff FILE FILE. Run hla diff --help for all options.',
  })
}
