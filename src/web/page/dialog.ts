/** Modal dialogs, which keep the keyboard focus: Escape closes them and restores the focus. */
import { button, element } from './elements.ts'

export interface DialogAction {
  readonly text: string
  /** Called before the dialog closes; an error is shown in the dialog, which stays open. */
  readonly act: () => Promise<void>
  readonly isDisabled?: () => boolean
}

export interface OpenDialog {
  /** Updates which actions are possible. */
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

/** Dialog that shows something and is closed. */
export function openNote(
  title: string,
  body: readonly Node[],
  closed: () => void = () => {},
): HTMLDialogElement {
  const id = 'dialog-title'
  const box = element('dialog', { 'aria-labelledby': id })
  const heading = element('h2', { id, tabindex: '-1' }, title)
  const close = button('Close', () => box.close())
  box.append(heading, ...body, element('div', { class: 'row' }, close))
  box.addEventListener('close', () => {
    closed()
    box.remove()
  })
  document.body.append(box)
  box.showModal()
  heading.focus()
  return box
}

export interface NameQuestion {
  readonly title: string
  readonly label: string
  readonly verb: string
  readonly value?: string
}

/** Asks for a name. An error of `act` is shown in the dialog, which stays open. */
export function askName(
  { title, label, verb, value = '' }: NameQuestion,
  act: (name: string) => Promise<void>,
): void {
  const box = element('input', { id: 'asked-name', required: true, autocomplete: 'off', value })
  const field = element('p', { class: 'asked' }, element('label', { for: 'asked-name' }, label), box)
  openDialog(title, [field], { text: verb, act: () => act(box.value.trim()) })
  box.select()
}

/** Resolves to true when the user confirms. */
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
