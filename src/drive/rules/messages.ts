/** Texts of errors for the users of a rule. */
import { adviceText, errorText } from '../../operations/faces.ts'
import { HlaError, errorMessage, isHlaError } from '../../errors.ts'

export function messageWithHint(error: unknown): string {
  if (!isHlaError(error)) return errorMessage(error)
  const hint = adviceText(error.hint, 'command-line')
  const message = errorText(error, 'command-line')
  return hint === undefined ? message : `${message} (${hint})`
}

/** Lines of the comment on a table that cannot be converted. */
export function refusalLines(error: HlaError): string[] {
  const hint = adviceText(error.hint, 'command-line')
  const first = `hla could not convert this table: ${errorText(error, 'command-line')} [${error.code}]`
  return hint === undefined ? [first] : [first, hint]
}

/** The starter set's lists are incomplete: no rule uses them unless the operator chose them. */
export function noRelease(): HlaError {
  return new HlaError('no-data', 'this server has no release of HLA data', {
    hint: 'its operator installs one with hla data install',
  })
}
