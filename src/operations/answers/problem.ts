/** Errors of an input, for answers that report errors as their result. */
import { type Advice } from '../../advice.ts'
import type { HlaError } from '../../errors.ts'
import { object, type ValueOf } from '../schema.ts'

export const PROBLEM_SCHEMA = object(['code', 'message', 'offending', 'position', 'suggestions'], {
  code: { type: 'string' },
  message: { type: 'string' },
  offending: { type: 'string' },
  position: {
    type: 'array',
    items: { type: 'integer' },
    minItems: 2,
    maxItems: 2,
    description: 'half-open range in the input, in UTF-16 code units',
  },
  hint: { type: 'string', isAdvice: undefined },
  suggestions: {
    type: 'array',
    items: { type: 'string' },
    description: 'suggestions, best first',
  },
})

export function problemRecord({
  code,
  message,
  offending,
  position,
  hint,
  suggestions,
}: HlaError): ValueOf<typeof PROBLEM_SCHEMA, Advice> {
  return {
    code,
    message,
    offending: offending ?? '',
    position: [...(position ?? [0, 0])],
    ...(hint === undefined ? {} : { hint }),
    suggestions,
  }
}

/** Cause in the service's wording for missing names; else the error's message. */
export function formatCause({ code, message, offending }: HlaError): string {
  return code.startsWith('unknown-') ? `${(offending ?? '').slice(0, 60)} is not a valid Allele` : message
}
