/** Our answers to the corpus's other operations (not redux), in the format of the corpus. */
import { findSplits } from '../../src/engine/antigens.ts'
import { blendDrbx } from '../../src/engine/blend.ts'
import { keepCommon } from '../../src/engine/cwd.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { lookUpCodes } from '../../src/engine/expand/mac-lookup.ts'
import { expandCode, isWrittenAsXx } from '../../src/engine/mac.ts'
import { namesLike } from '../../src/engine/suggest/similar.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { isHlaError } from '../../src/errors.ts'
import { withoutPrefix } from '../../src/nomenclature/allele.ts'
import { answerChecked, readInput } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { cwd2Catalogue } from '../../src/reference/catalogues.ts'
import { publishedHistory } from '../support/history.ts'

type Operate = (engine: Engine, input: string) => string

export const OPS: Readonly<Record<string, Operate>> = {
  validate: validated,
  'mac-expand': (engine, input) => expandCode(engine, input).names.join('/'),
  'mac-lookup': (engine, input) => lookUpCodes(engine, input).codes[0] ?? '',
  'xx-expand': (engine, input) =>
    isWrittenAsXx(withoutPrefix(input)) ? expandCode(engine, input, { xx: true }).names.join('/') : '',
  cwd: (engine, input) => keepCommon(engine, input, cwd2Catalogue()).names.join('/'),
  splits: family,
  associated,
  'serology-xx': (engine, gl_string) => textFrom(engine, 'mac', { gl_string, xx: true }, 'mac'),
  similar: (engine, input) => [...namesLike(engine, input)].join('/'),
  'v2-to-v3': (engine, gl_string) => textFrom(engine, 'lift', { gl_string }, 'spelling') || gl_string,
  blend: (_engine, input) => blended(input),
}

/** @throws {HlaError} the operation's error */
export function operate(op: string, engine: Engine, input: string): string {
  const asked = OPS[op]
  if (asked === undefined) throw new Error(`no operation answers ${op}`)
  return asked(engine, input)
}

function validated(engine: Engine, input: string): string {
  const { valid, problems } = validateGlString(engine, input)
  if (!valid) throw problems[0] ?? new Error('an invalid text without a problem')
  return 'true'
}

function family(engine: Engine, input: string): string {
  const { broad, splits } = findSplits(engine, input)
  return `${broad}=${splits.join('/')}`
}

function blended(input: string): string {
  // the corpus stores a blend's four texts as a JSON list
  const [drb1 = '', DRB3 = '', DRB4 = '', DRB5 = ''] = JSON.parse(input) as string[]
  return blendDrbx(drb1, { DRB3, DRB4, DRB5 }).text
}

/** The corpus repeats an antigen that has no associated antigen. */
function associated(engine: Engine, allele: string): string {
  try {
    return textFrom(engine, 'splits', { allele, associated: true }, 'broad')
  } catch (error) {
    if (isHlaError(error) && error.code === 'unknown-antigen') return allele
    throw error
  }
}

/** One text of an operation's answer. */
function textFrom(engine: Engine, operation: string, input: object, name: string): string {
  const { release, mac } = engine
  const asked = operationNamed(operation)
  const knowledge = makeKnowledge({ release, mac, history: publishedHistory })
  const text = answerChecked(asked, readInput(asked.input, input), knowledge)[name] ?? ''
  if (typeof text !== 'string') throw new Error(`${operation} has no text ${name}`)
  return text
}
