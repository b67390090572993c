/** Errors as JSON, in records, the co-process and service answers; and the reverse. */
import { isAdvice } from '../advice.ts'
import { adviceText, type Face, errorText } from './faces.ts'
import { ERROR_CODES, type ErrorCode, HlaError, type Position } from '../errors.ts'

export function errorRecord(error: HlaError, face: Face = 'command-line'): Record<string, unknown> {
  const { code, offending, position, suggestions, facts } = error
  const hint = adviceText(error.hint, face)
  return {
    code,
    message: errorText(error, face),
    ...(offending === undefined ? {} : { offending }),
    ...(position === undefined ? {} : { position }),
    ...(hint === undefined ? {} : { hint }),
    ...facts,
    suggestions,
  }
}

/** Record for another thread, with advice as data. */
export function errorData(error: HlaError): Record<string, unknown> {
  return {
    ...errorRecord(error),
    message: error.said,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  }
}

/** Restores an error from its record; `otherwise` is the code for a missing or unknown one. */
export function readErrorRecord(record: Readonly<Record<string, unknown>>, otherwise: ErrorCode): HlaError {
  const { code, message, offending, position, suggestions, hint, ...rest } = record
  const facts = Object.entries(rest).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new HlaError(
    ERROR_CODES.find((known) => known === code) ?? otherwise,
    isAdvice(message) ? message : 'the service gives no reason',
    {
      offending: typeof offending === 'string' ? offending : undefined,
      position: isPosition(position) ? position : undefined,
      suggestions: Array.isArray(suggestions) ? suggestions.map(String) : [],
      hint: isAdvice(hint) ? hint : undefined,
      facts: facts.length === 0 ? undefined : Object.fromEntries(facts),
    },
  )
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)
}
