/** Windows over the page, which hold the keyboard until they are closed: Escape closes them, and the focus goes back. */
import { button, element } from './elements.ts'

export interface DialogAction {
  readonly text: string
  /** Asked before the window closes; what it throws is shown in the window, which stays. */
  readonly act: () => Promise<void>
  readonly isDisabled?: () => boolean
}

export interface OpenDialog {
  /** Asks again which actions are possible. */
  readonly refresh: () => void
}

export function openDialog(
  title: string,
  body: readonly (Node | string)[],
  action: DialogAction,
  closed: () => void = () => {},
): OpenDialog {
  const id = 'dialog-title'
  const failure = element('p', { class: 'problem', role: 'alert' })
  const main = element('button', { class: 'main' }, action.text)
  const box = element('dialog', { 'aria-labelledby': id })
  const form = element(
    'form',
    {},
    element('h2', { id, tabindex: '-1' }, title),
    ...body,
    failure,
    element(
      'div',
      { class: 'row' },
      main,
      button('Cancel', () => box.close()),
    ),
  )
  const refresh = () => (main.disabled = action.isDisabled?.() ?? false)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    failure.textContent = ''
    main.disabled = true
    action
      .act()
      .then(() => box.close())
      .catch((error: unknown) => {
        failure.textContent = error instanceof Error ? error.message : String(error)
        refresh()
      })
  })
  box.addEventListener('close', () => {
    box.remove()
    closed()
  })
  box.append(form)
  document.body.append(box)
  refresh()
  box.showModal()
  return { refresh }
}

/** Whether it is to be done. */
export function confirmed(title: string, text: string, verb: string): Promise<boolean> {
  return new Promise((resolve) => {
    let isWanted = false
    const act = () => {
      isWanted = true
      return Promise.resolve()
    }
    openDialog(title, [element('p', {}, text)], { text: verb, act }, () => resolve(isWanted))
  })
}
