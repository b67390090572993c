/** Page of a file: its preview. Versions, sharing, comments and activity are in its details. */
import { button, hint } from '../../../web/page/elements.ts'
import { actionsFor } from '../actions/actions.ts'
import type { PageItem } from '../answers.ts'
import { describeItem, refreshDetails } from '../details.ts'
import { attempt, panel } from '../panel.ts'
import { fetchItem } from '../service.ts'
import { uploadTool } from '../upload/uploads.ts'
import { formats, isDocument } from './formats.ts'
import { preview } from './preview.ts'

export interface FileView {
  readonly tools: readonly Node[]
  /** Main action, beside the title. */
  readonly actions: readonly Node[]
  readonly view: readonly Node[]
  /** Shows the content again, after a change by the details. */
  readonly changed: () => Promise<void>
}

export function fileView(given: PageItem, again: () => Promise<void>): FileView {
  let item = given
  const facts = hint(describeItem(item))
  const shown = panel('Preview', () => preview(item))
  const changed = async () => {
    item = await fetchItem(item.id)
    facts.textContent = describeItem(item)
    await shown.reload()
  }
  const sent = () =>
    attempt(undefined, async () => {
      await changed()
      await refreshDetails()
    })
  const mayUpload = item.capabilities['canModifyContent'] === true && !item.labels.trashed
  const main = actionsFor([item]).find(({ text }) => text === 'Download')
  return {
    tools: mayUpload ? [uploadTool({ file: item.id }, sent)] : [],
    actions:
      main === undefined ? [] : [button(main.text, () => void main.run([item], again), { class: 'main' })],
    view: [facts, ...(isDocument(item) ? [panel('Formats', () => formats(item)).node] : []), shown.node],
    changed,
  }
}
