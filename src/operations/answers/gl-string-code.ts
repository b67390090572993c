/** GL String Codes as typings: the code names the release of its names. */
import { WRITTEN_NAMES } from '../../engine/write-as.ts'
import { HlaError, isHlaError, type Note, type Position } from '../../errors.ts'
import {
  formatGlStringCode,
  type GlStringCode,
  parseGlStringCode,
} from '../../nomenclature/gl-string-code.ts'
import { readCodeVersion } from '../../reference/release-dates.ts'

/** Output form of a translation, whose names may be from any release. */
export const AS_PROPERTY = {
  type: 'string',
  enum: ['gl', 'glsc'],
  description: 'GL String or GL String Code',
} as const

/** Output form of a reduction, whose names are from the release in use. */
export const REDUCED_AS_PROPERTY = {
  type: 'string',
  enum: ['gl', 'glsc', ...WRITTEN_NAMES],
  description:
    'GL String, GL String Code, antigens with their broads (who: A23(9)), or molecules as a peptide-binding predictor names them',
} as const

/** Answer in the requested form. */
export function writeAs(glString: string, as: 'gl' | 'glsc' | undefined, release: string): string {
  return as === 'glsc' && glString !== '' ? formatGlStringCode(release, glString) : glString
}

export interface ReadCode extends GlStringCode {
  readonly release: string
  readonly notes: readonly Note[]
}

/**
 * Returns undefined for a GL String.
 * @throws {HlaError} bad-syntax — another namespace or an unknown release; an error of this typing only
 */
export function readGlStringCode(text: string): ReadCode | undefined {
  const code = parseGlStringCode(text)
  if (code === undefined) return undefined
  const { namespace, version } = code
  if (namespace !== 'hla')
    throw new HlaError(
      'bad-syntax',
      `a GL String Code of ${namespace}: only GL String Codes of the namespace hla are read`,
      {
        offending: namespace,
        position: [0, namespace.length],
      },
    )
  const { release, isByDate } = aboutTyping(code, () => readCodeVersion(version))
  const message = `${version} is read as ${release}, the newest release at that date`
  const note: Note = { level: 'note', code: 'dated-code', message, offending: version }
  return { ...code, release, notes: isByDate ? [note] : [] }
}

/** Converts a position in the GL String to one in the code. */
export function placeInCode({ start }: Pick<GlStringCode, 'start'>): (position: Position) => Position {
  return ([from, to]) => [from + start, to + start]
}

/** Runs `read`; an unknown release is an error of this typing only. */
export function aboutTyping<T>(
  { namespace, version }: Pick<GlStringCode, 'namespace' | 'version'>,
  read: () => T,
): T {
  try {
    return read()
  } catch (error) {
    if (!isHlaError(error) || error.code !== 'unknown-release') throw error
    const position = [namespace.length + 1, namespace.length + 1 + version.length] as const
    throw new HlaError('bad-syntax', error.message, { offending: version, position, cause: error })
  }
}
