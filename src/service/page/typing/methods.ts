/** Results of the methods side by side, the selected one first. */
import { isFailed, type PageOutcome, type Reduced } from '../answers.ts'
import { button, element, part, table } from '../../../web/page/elements.ts'
import { methodSummary, methodTitle } from '../../../web/page/methods.ts'
import { sentence } from '../service.ts'
import { typingText } from './typing-text.ts'

export const DEFAULT_METHOD = 'lgx'

export interface MethodAnswer {
  readonly method: string
  readonly outcome: PageOutcome<Reduced>
}

/** Removes methods that the release lacks. */
export function offerMethods(names: readonly string[]): void {
  const boxes = document.querySelectorAll<HTMLInputElement>('input[name="method"]')
  for (const option of part('method').querySelectorAll('option'))
    if (!names.includes(option.value)) option.remove()
  for (const box of boxes) if (!names.includes(box.value)) box.parentElement?.remove()
}

export function chosenFirst(answers: readonly MethodAnswer[], chosen: string): readonly MethodAnswer[] {
  return answers.toSorted((a, b) => Number(b.method === chosen) - Number(a.method === chosen))
}

export function methodsTable(caption: string, answers: readonly MethodAnswer[]): HTMLElement {
  const rows = answers.map(({ method, outcome }) => [
    showMethod(method),
    outcomeText(outcome),
    isFailed(outcome) ? undefined : copyButton(outcome.ard, method),
  ])
  const columns = [{ title: 'Method' }, { title: 'Result', style: 'name' }, { title: 'Copy' }]
  return table(caption, columns, rows)
}

export function outcomeText(outcome: PageOutcome<Reduced>): HTMLElement {
  return isFailed(outcome)
    ? element('span', { class: 'hint' }, sentence(outcome.error.message))
    : typingText(outcome.ard)
}

function showMethod(method: string): HTMLElement {
  return element(
    'span',
    {},
    methodTitle(method),
    element('span', { class: 'meaning' }, methodSummary(method)),
  )
}

/** Returns undefined where the browser offers no clipboard: it does so for https and for this machine. */
export function copyButton(text: string, method: string): HTMLElement | undefined {
  if (navigator.clipboard === undefined) return undefined
  const made = button('Copy', () => void copy(text, made), {
    class: 'small',
    'aria-label': `Copy the ${method} result`,
  })
  return made
}

async function copy(text: string, pressed: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text)
  pressed.textContent = 'Copied'
  setTimeout(() => (pressed.textContent = 'Copy'), 2000)
}
