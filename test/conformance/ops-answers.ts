/** Our answers to the corpus's operations other than redux, in the form of the corpus. */
import { associatedAntigen, splitsOf, xxCodeOfAntigen } from '../../src/engine/antigens.ts'
import { blendDrbx } from '../../src/engine/blend.ts'
import { keepCommon } from '../../src/engine/cwd.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { lookUpCodes } from '../../src/engine/mac-lookup.ts'
import { expandCode, isWrittenAsXx } from '../../src/engine/mac.ts'
import { presentSpellingOf } from '../../src/engine/old-names.ts'
import { namesLike } from '../../src/engine/similar.ts'
import { validateGlString } from '../../src/engine/validate.ts'
import { type ErrorCode, isHlaError } from '../../src/errors.ts'
import { withoutPrefix } from '../../src/nomenclature/allele.ts'
import { cwd2Catalogue } from '../../src/reference/catalogues.ts'
import type { Answer } from './comparison.ts'

const MALFORMED: readonly ErrorCode[] = ['empty-part', 'bad-character', 'bad-syntax', 'not-a-single-allele']

interface Asked {
  readonly answer: (engine: Engine, input: string) => string
  /** Errors that say why there is nothing, where the peer answers an empty text. */
  readonly nothing: readonly ErrorCode[]
}

export const OPS: Readonly<Record<string, Asked>> = {
  validate: { answer: validated, nothing: [] },
  'mac-expand': {
    answer: (engine, input) => expandCode(engine, input).names.join('/'),
    nothing: ['mac-empty-expansion'],
  },
  'mac-lookup': { answer: (engine, input) => lookUpCodes(engine, input).codes[0] ?? '', nothing: [] },
  'xx-expand': {
    answer: (engine, input) =>
      isWrittenAsXx(withoutPrefix(input)) ? expandCode(engine, input, { xx: true }).names.join('/') : '',
    nothing: ['unknown-allele', 'unknown-locus', ...MALFORMED],
  },
  cwd: {
    answer: (engine, input) => keepCommon(engine, input, cwd2Catalogue()).names.join('/'),
    nothing: ['not-in-catalogue', 'mac-empty-expansion'],
  },
  splits: { answer: family, nothing: ['unknown-antigen', ...MALFORMED] },
  associated: { answer: associatedAntigen, nothing: [] },
  'serology-xx': { answer: xxCodeOfAntigen, nothing: [] },
  similar: { answer: (engine, input) => [...namesLike(engine, input)].join('/'), nothing: ['bad-syntax'] },
  'v2-to-v3': { answer: presentSpellingOf, nothing: [] },
  blend: { answer: (_engine, input) => blended(input), nothing: [] },
}

export function answerTo(op: string, engine: Engine, input: string): Answer {
  const asked = OPS[op]
  if (asked === undefined) throw new Error(`no operation answers ${op}`)
  try {
    return { status: 'ok', text: asked.answer(engine, input) }
  } catch (error) {
    if (!isHlaError(error)) throw error
    if (asked.nothing.includes(error.code)) return { status: 'ok', text: '' }
    const { found, expected } = error.facts ?? {}
    const message = found === undefined ? error.message : `found=${found} expected=${expected}`
    return { status: 'error', code: error.code, message }
  }
}

function validated(engine: Engine, input: string): string {
  const { valid, problems } = validateGlString(engine, input)
  if (!valid) throw problems[0] ?? new Error('an invalid text without a problem')
  return 'true'
}

function family(engine: Engine, input: string): string {
  const { broad, splits } = splitsOf(engine, input)
  return `${broad}=${splits.join('/')}`
}

function blended(input: string): string {
  // the corpus gives a blend's four texts as a JSON list
  const [drb1 = '', DRB3 = '', DRB4 = '', DRB5 = ''] = JSON.parse(input) as string[]
  return blendDrbx(drb1, { DRB3, DRB4, DRB5 }).text
}
