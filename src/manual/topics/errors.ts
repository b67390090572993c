/** Help topic: every error code. Pure. */
import { ERROR_CODES, errorKind } from '../../errors.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function errorsTopic(): Block[] {
  return [
    ...text(
      'An error message says what is wrong, marks the place and, where possible, suggests what was meant. Its code is in brackets at the end of the first line, in the field `code` of JSON and in the column `code` of the other formats. Scripts may rely on these codes.',
    ),
    session({
      command: "hla redux -q 'A*01:01+A*02:01:' 2>&1 >/dev/null",
      output: `hla: error: a field is empty in "A*02:01:" [bad-syntax]
  A*01:01+A*02:01:
          ^^^^^^^^`,
      exit: 1,
    }),
    heading('Codes'),
    ...text('The meaning of each code, what to do about it, and its exit status:'),
    terms(
      ERROR_CODES.map((code) => {
        const { means, remedy, exit } = errorKind(code)
        return [code, `${means}. What to do: ${remedy}. Exit status ${exit}.`] as const
      }),
    ),
    heading('Notes'),
    ...text(
      'A note or warning has a code of its own and is a remark on a correct answer: what was read differently from how it was written, or what a method leaves out. Notes go to standard error and to the field `notes` of JSON; `-q` suppresses them, `-v` shows more of them.',
    ),
  ]
}
