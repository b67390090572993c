/** The limits of the store: each can be set, and set back. */
import { button, element, table } from '../../../web/page/elements.ts'
import type { List } from '../answers.ts'
import { panel } from '../panel.ts'
import { attempt } from '../talk.ts'
import { adminPath, type AdminLimit, askAdmin } from './requests.ts'

export function limitsView(): Node[] {
  const load = async (reload: () => Promise<void>) => {
    const { items } = await askAdmin<List<AdminLimit>>('limits')
    const columns = ['Limit', 'Of', 'Value'].map((title) => ({ title }))
    return [
      table(
        'They count at once, unless it says when.',
        columns,
        items.map((limit) => describeLimit(limit, reload)),
      ),
    ]
  }
  return [panel('Limits of the store', load).node]
}

function describeLimit({ name, of, value, standard }: AdminLimit, reload: () => Promise<void>) {
  const box = element('input', {
    type: 'number',
    min: '1',
    required: true,
    value: String(value),
    'aria-label': name,
    class: 'count',
  })
  const set = (to: number | null) =>
    attempt(`${name} is ${to ?? standard} now.`, async () => {
      await askAdmin(adminPath('limits', name), {}, { value: to }, 'PUT')
      await reload()
    })
  const form = element(
    'form',
    { class: 'actions' },
    box,
    element('button', { 'aria-label': `Set ${name}` }, 'Set'),
    value === standard
      ? undefined
      : button(`Back to ${standard}`, () => void set(null), {
          'aria-label': `Set ${name} back to ${standard}`,
        }),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void set(Number(box.value))
  })
  return [name, of, form]
}
