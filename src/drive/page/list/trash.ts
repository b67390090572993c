/** The trash is emptied. */
import { confirmed } from '../../../web/page/dialog.ts'
import { button } from '../../../web/page/elements.ts'
import { call } from '../service.ts'
import { attempt } from '../talk.ts'

export function emptyTrashButton(reload: () => Promise<void>): HTMLElement {
  const empty = async () => {
    const text =
      'Everything of yours in the trash is deleted, with all versions, and cannot be restored. What is in the trash of shared drives stays.'
    if (!(await confirmed('Empty the trash?', text, 'Empty trash'))) return
    await attempt('Everything of yours in the trash is deleted.', async () => {
      await call('files/trash', {}, undefined, 'DELETE')
      await reload()
    })
  }
  return button('Empty trash', () => void empty())
}
