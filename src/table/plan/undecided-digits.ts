/** A table that holds nothing but digits that may be several things is refused: every cell of it would fail. Pure. */
import { HlaError } from '../../errors.ts'
import { type PlannedGroup, type TablePlan, tryRead } from './plan.ts'
import { labelsIn } from './recognition/unread-columns.ts'
import type { ReadRequest } from './table-request.ts'

/** undefined: something of the sample is read, or whoever asked wants each cell told (`--bare-digits error`). */
export function undecidedDigits(
  { groups, header }: Pick<TablePlan, 'groups' | 'header'>,
  { digits }: Pick<ReadRequest, 'digits'>,
): HlaError | undefined {
  const typed = groups.filter(({ values }) => values.length > 0)
  if (digits !== 'auto' || typed.length === 0 || !typed.every(isUndecided)) return undefined
  const columns = labelsIn(typed.flatMap((group) => group.columns), header) // prettier-ignore
  return new HlaError(
    'usage',
    `${columns} of ${header.table} hold digits without ":" alone; they may be antigens, first fields or old names`,
    {
      hint: 'say which: --bare-digits antigen, first-field, v2 or mixed; --bare-digits error reports each cell',
    },
  )
}

function isUndecided({ hasDigits, context, values }: PlannedGroup): boolean {
  return hasDigits && context.digits === 'error' && values.every((value) => tryRead(value, context) instanceof Error) // prettier-ignore
}
