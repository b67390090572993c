/** Query parameters -> values typed by the parameter table. */
import { invalidParameter, required } from '../contract/failure.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Method } from '../contract/methods.ts'
import { COMMON_PARAMETERS, type Parameter, type ParameterValues } from '../contract/parameter.ts'

/** Parsed query of a URL. A repeated name has an array of values. */
export type QueryTexts = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Unknown parameters are ignored, blank ones count as absent, and the last of repeated ones counts.
 * @throws {StorageFailure} 400 invalidParameter — an invalid value; required — it is missing
 */
export function readParameters(method: Method, query: QueryTexts): ParameterValues {
  const values: Record<string, string | number | boolean> = {}
  for (const parameters of [COMMON_PARAMETERS, method.parameters]) {
    for (const parameter of parameters.values()) {
      const value = readValue(parameter, textIn(query, parameter.name))
      if (value !== undefined) values[parameter.name] = value
    }
  }
  refuseForms(method, values)
  return values
}

/** Accepts `true`, `false`, `1`, `0` in any case. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : undefined
}

function textIn(query: QueryTexts, name: string): string | undefined {
  const given = Object.hasOwn(query, name) ? query[name] : undefined
  const text = typeof given === 'object' ? given.at(-1) : given
  return text === '' ? undefined : text
}

function readValue(parameter: Parameter, text: string | undefined): string | number | boolean | undefined {
  if (text === undefined && parameter.isRequired) throw required(parameter.name)
  const said = text ?? parameter.standard
  if (said === undefined) return undefined
  switch (parameter.type) {
    case 'boolean':
      return readBoolean(said) ?? refuse(parameter, said, 'true or false')
    case 'int32':
    case 'int64':
      return readInteger(parameter, said)
    case 'string':
      if (parameter.values?.includes(said) === false) refuse(parameter, said, parameter.values.join(', '))
      return said
  }
}

/** Clamps maxResults to its bounds, with 0 for the default. Other numbers are refused if they are too large. */
function readInteger(parameter: Parameter, text: string): number | undefined {
  if (!/^\+?\d{1,30}$/.test(text)) return refuse(parameter, text, 'a number that is not negative')
  const number = Number(text)
  if (parameter.name === 'maxResults') {
    const standard = parameter.standard === undefined ? undefined : Number(parameter.standard)
    return number === 0 ? standard : Math.min(number, parameter.most ?? LIMITS['page-items'].most)
  }
  return Number.isSafeInteger(number) ? number : refuse(parameter, text, `at most ${Number.MAX_SAFE_INTEGER}`)
}

/** Refuses unsupported output formats. */
function refuseForms(method: Method, values: Readonly<Record<string, unknown>>): void {
  if (values['callback'] !== undefined) throw invalidParameter('callback', 'JSONP is not supported')
  const { alt } = values
  // revisions.get also returns contents (spec 7)
  const hasContent = method.hasDownload || method.id === 'revisions.get'
  if (alt === 'proto' || (alt === 'media' && !hasContent)) {
    throw invalidParameter('alt', `Unsupported output format: ${alt}`)
  }
}

const MAX_SHOWN_LENGTH = 100

function refuse({ name }: Parameter, text: string, wanted: string): never {
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
  throw invalidParameter(name, `Invalid value '${shown}' of ${name}: ${wanted} expected`)
}
