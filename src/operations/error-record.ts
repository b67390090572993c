/** An error as JSON: in records, in the co-process, in answers of the service; and back. */
import { ERROR_CODES, type ErrorCode, HlaError, type Position } from '../errors.ts'

export function errorRecord(error: HlaError): Record<string, unknown> {
  const { code, message, offending, position, suggestions, hint, facts } = error
  return {
    code,
    message,
    ...(offending === undefined ? {} : { offending }),
    ...(position === undefined ? {} : { position }),
    ...(hint === undefined ? {} : { hint }),
    ...facts,
    suggestions,
  }
}

/** The error that a record was made from; `otherwise` is its code where it has none that we know. */
export function readErrorRecord(record: Readonly<Record<string, unknown>>, otherwise: ErrorCode): HlaError {
  const { code, message, offending, position, suggestions, hint, ...rest } = record
  const facts = Object.entries(rest).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return new HlaError(
    ERROR_CODES.find((known) => known === code) ?? otherwise,
    formatExample(message) ?? 'the service gives no reason',
    {
      offending: formatExample(offending),
      position: isPosition(position) ? position : undefined,
      suggestions: Array.isArray(suggestions) ? suggestions.map(String) : [],
      hint: formatExample(hint),
      facts: facts.length === 0 ? undefined : Object.fromEntries(facts),
    },
  )
}

function formatExample(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)
}
