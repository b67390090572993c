/** Several items of a list are chosen, and one thing is done with all of them. */
import { button, element } from '../../../web/page/elements.ts'
import { actionsFor } from '../actions/actions.ts'
import type { PageItem } from '../answers.ts'

export interface Selection {
  /** What is said and done of what is chosen. */
  readonly bar: HTMLElement
  /** These are shown now: of what was chosen, what is among them stays chosen. */
  readonly offer: (items: readonly PageItem[]) => void
  readonly box: (item: PageItem) => HTMLElement
  readonly chosen: () => readonly PageItem[]
}

function selectionBar() {
  const all = element('input', { type: 'checkbox', id: 'select-all' })
  const count = element('span', { role: 'status', class: 'count' })
  const things = element('span', { class: 'actions' })
  const bar = element(
    'div',
    { class: 'selection', role: 'group', 'aria-label': 'Selected items' },
    element('label', { class: 'choice' }, all, 'Select all'),
    count,
    things,
  )
  return { all, count, things, bar }
}

export function makeSelection(reload: () => Promise<void>): Selection {
  let shown: readonly PageItem[] = []
  let ids = new Set<string>()
  let boxes: [PageItem, HTMLInputElement][] = []
  const { all, count, things, bar } = selectionBar()
  const chosen = () => shown.filter(({ id }) => ids.has(id))
  const update = () => {
    const items = chosen()
    for (const [{ id }, box] of boxes) box.checked = ids.has(id)
    all.checked = items.length > 0 && items.length === shown.length
    all.indeterminate = items.length > 0 && !all.checked
    bar.classList.toggle('some', items.length > 0)
    count.textContent = items.length === 0 ? '' : `${items.length} selected`
    things.replaceChildren(
      ...(items.length === 0 ? [] : actionsFor(items)).map(({ text, run }) =>
        button(text, () => void run(items, reload), { 'aria-label': `${text} (selected)` }),
      ),
    )
  }
  all.addEventListener('change', () => {
    ids = new Set(all.checked ? shown.map(({ id }) => id) : [])
    update()
  })
  return {
    bar,
    chosen,
    offer(items) {
      shown = items
      boxes = []
      const here = new Set(items.map(({ id }) => id))
      ids = new Set([...ids].filter((id) => here.has(id)))
      update()
    },
    box(item) {
      const box = element('input', { type: 'checkbox', 'aria-label': `Select ${item.title}` })
      box.checked = ids.has(item.id)
      box.addEventListener('change', () => {
        if (box.checked) ids.add(item.id)
        else ids.delete(item.id)
        update()
      })
      boxes.push([item, box])
      return box
    },
  }
}
