/** The level of the antigens of method S: one for the whole page, chosen beside the typing or the table. */
import { byId, part } from '../../../web/page/elements.ts'

export const USUAL_LEVEL = 'usual'
const SELECTS = ['antigen-level', 'table-antigen-level'] as const

/** `change` is called when another level is chosen. */
export function prepareAntigenLevel(change: () => void): void {
  for (const id of SELECTS) {
    const select = byId(id, HTMLSelectElement)
    select.addEventListener('change', () => {
      setSelects(select.value)
      change()
    })
  }
  for (const box of [boxOfSerology(), part('method')]) box.addEventListener('change', showLevels)
}

/** No other method has antigens. */
export function showLevels(): void {
  part('table-antigen-choice').hidden = !boxOfSerology().checked
  part('antigen-choice').hidden = byId('method', HTMLSelectElement).value !== 'S'
}

/** undefined: the usual one, which every release answers. */
export function chosenLevel(): string | undefined {
  const { value } = byId('antigen-level', HTMLSelectElement)
  return value === USUAL_LEVEL ? undefined : value
}

/** Returns what is wrong with it, if anything is. */
export function setLevel(level = USUAL_LEVEL): string | undefined {
  const isKnown = [...byId('antigen-level', HTMLSelectElement).options].some(({ value }) => value === level)
  // a browser that goes back fills forms in again: the link decides
  setSelects(isKnown ? level : USUAL_LEVEL)
  return isKnown
    ? undefined
    : `The link asks for antigens "${level}", and there is no such level. S has the usual antigens.`
}

function boxOfSerology(): HTMLInputElement {
  const box = part('table-methods').querySelector<HTMLInputElement>('input[value="S"]')
  if (box === null) throw new Error('the page has no method S')
  return box
}

function setSelects(level: string): void {
  for (const id of SELECTS) byId(id, HTMLSelectElement).value = level
}
