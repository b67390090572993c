/** `drive#file`: what an item looks like to its caller, with the members that were asked for and no others (spec 4). */
import type { FileView } from '../../library/file-view.ts'
import { type Selection, selectFields, wants, within } from '../../query/fields.ts'
import type { Field, Seeing } from './field.ts'
import { ACCESS_FIELDS } from './file-access.ts'
import { CONTENT_FIELDS } from './file-content.ts'
import { PEOPLE_FIELDS } from './file-people.ts'
import { PLAIN_FIELDS } from './file-plain.ts'

const FIELDS: ReadonlyMap<string, Field> = new Map(
  Object.entries({ ...PLAIN_FIELDS, ...CONTENT_FIELDS, ...PEOPLE_FIELDS, ...ACCESS_FIELDS }),
)

export function fileResource(view: FileView, seeing: Seeing, selection: Selection): Record<string, unknown> {
  const resource: Record<string, unknown> = {}
  for (const { name, field, inner } of planOf(selection)) {
    const value = field(view, seeing)
    if (value !== undefined) resource[name] = inner.isWhole ? value : selectFields(value, inner)
  }
  return resource
}

interface Step {
  readonly name: string
  readonly field: Field
  readonly inner: Selection
}

const plans = new WeakMap<Selection, readonly Step[]>()

/** The wanted members in the order of the table above: what names an item comes first. */
function planOf(selection: Selection): readonly Step[] {
  let plan = plans.get(selection)
  if (plan === undefined) {
    plan = [...FIELDS].flatMap(([name, field]) =>
      wants(selection, name) ? [{ name, field, inner: within(selection, name) }] : [],
    )
    plans.set(selection, plan)
  }
  return plan
}
