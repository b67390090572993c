/** Help topic: every error code. Pure. */
import { ERROR_CODES } from '../../errors.ts'
import { ERROR_ADVICE } from '../error-advice.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function errorsTopic({ exitOfError }: ManualFacts): Block[] {
  return [
    ...text(
      'An error says what is wrong, marks the place and, where it can, says what was probably meant. Its code stands in brackets at the end of the first line, in the field `code` of JSON and in the column of that name of the other formats. Codes are a contract.',
    ),
    session({
      command: "hla redux -r starter 'A*01:01+A*02:' 2>&1 >/dev/null",
      output: `hla: error: a field is empty in "A*02:" [bad-syntax]
  A*01:01+A*02:
          ^^^^^`,
      exit: 1,
    }),
    heading('Codes'),
    ...text('What each means, what to do, and the exit status it gives:'),
    terms(
      ERROR_CODES.map((code) => {
        const { means, remedy } = ERROR_ADVICE[code]
        return [code, `${means}. To do: ${remedy}. Exit status ${exitOfError[code]}.`] as const
      }),
    ),
    heading('Notes'),
    ...text(
      'A note or warning, with a code of its own, says something about an answer that is right: what was read otherwise than it stands, or what a method leaves out. Notes go to standard error and into the field `notes` of JSON; `-q` silences them, `-v` shows more of them.',
    ),
  ]
}
