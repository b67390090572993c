/** Texts of errors for the users of a rule. */
import { adviceText } from '../../advice.ts'
import { HlaError, errorMessage, isHlaError } from '../../errors.ts'

export function messageWithHint(error: unknown): string {
  const hint = isHlaError(error) ? adviceText(error.hint, 'command-line') : undefined
  return hint === undefined ? errorMessage(error) : `${errorMessage(error)} (${hint})`
}

/** Lines of the comment on a table that cannot be converted. */
export function refusalLines({ message, code, ...error }: HlaError): string[] {
  const hint = adviceText(error.hint, 'command-line')
  const first = `hla could not convert this table: ${message} [${code}]`
  return hint === undefined ? [first] : [first, hint]
}

/** The starter set's lists are incomplete: no rule uses them unless the operator chose them. */
export function noRelease(): HlaError {
  return new HlaError('no-data', 'this server has no release of HLA data', {
    hint: 'its operator installs one with hla data install',
  })
}
