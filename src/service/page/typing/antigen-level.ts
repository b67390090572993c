/** Level of the antigens of method S: one for the whole page, selected beside the typing or the table. */
import { byId, part } from '../../../web/page/elements.ts'

export const DEFAULT_LEVEL = 'usual'
const SELECTS = ['antigen-level', 'table-antigen-level'] as const

/** Calls `change` when another level is selected. */
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

/** Shows the choice for method S only, the one with antigens. */
export function showLevels(): void {
  part('table-antigen-choice').hidden = !boxOfSerology().checked
  part('antigen-choice').hidden = byId('method', HTMLSelectElement).value !== 'S'
}

/** Selected level; undefined for the usual one, which every release supports. */
export function chosenLevel(): string | undefined {
  const { value } = byId('antigen-level', HTMLSelectElement)
  return value === DEFAULT_LEVEL ? undefined : value
}

/** Returns an error message for an unknown level. */
export function setLevel(level = DEFAULT_LEVEL): string | undefined {
  const isKnown = [...byId('antigen-level', HTMLSelectElement).options].some(({ value }) => value === level)
  // on going back the browser refills forms, but the link decides
  setSelects(isKnown ? level : DEFAULT_LEVEL)
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
