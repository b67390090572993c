/** The error for a part of a GL String that is empty: which operator has nothing beside it. */
import { HlaError } from '../../errors.ts'

/** `at` is where the missing part would stand. The error points at the operator, which can be seen. */
export function emptyPartError(text: string, at: number): HlaError {
  if (text === '') return error('there is no text', '', 0)
  const before = text.charAt(at - 1)
  const after = text.charAt(at)
  if (before === '') return error(`nothing before the first "${after}"`, after, at)
  if (after === '') return error(`nothing after the last "${before}"`, before, at - 1)
  return error(`nothing between "${before}" and "${after}"`, before, at - 1)
}

function error(message: string, offending: string, start: number): HlaError {
  return new HlaError('empty-part', message, { offending, position: [start, start + offending.length] })
}
