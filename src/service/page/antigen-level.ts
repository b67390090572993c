/** The level of the antigens of method S: one for the whole page, chosen beside the typing or the table, and kept in the link. */
import { byId, part } from '../../web/page/elements.ts'

const PARAMETER = 'antigens'
const USUAL = 'usual'
const SELECTS = ['antigen-level', 'table-antigen-level'] as const

/** `change` is called when another level is chosen. Returns what is wrong with the level of the link, if anything is. */
export function prepareAntigenLevel(change: () => void): string | undefined {
  for (const id of SELECTS) {
    const select = byId(id, HTMLSelectElement)
    select.addEventListener('change', () => {
      choose(select.value)
      change()
    })
  }
  const box = boxOfSerology()
  const showForTable = () => (part('table-antigen-choice').hidden = !box.checked)
  box.addEventListener('change', showForTable)
  showForTable()
  return readLink()
}

/** undefined: the usual one, which every release answers. */
export function chosenLevel(): string | undefined {
  const { value } = byId('antigen-level', HTMLSelectElement)
  return value === USUAL ? undefined : value
}

function boxOfSerology(): HTMLInputElement {
  const box = part('table-methods').querySelector<HTMLInputElement>('input[value="S"]')
  if (box === null) throw new Error('the page has no method S')
  return box
}

function readLink(): string | undefined {
  const level = new URLSearchParams(location.search).get(PARAMETER)
  if (level === null) return setSelects(USUAL)
  const isKnown = [...byId('antigen-level', HTMLSelectElement).options].some(({ value }) => value === level)
  // a browser that goes back fills forms in again: the link decides
  setSelects(isKnown ? level : USUAL)
  return isKnown
    ? undefined
    : `The link asks for antigens "${level}", which is no level: S has the usual ones.`
}

function choose(level: string): void {
  setSelects(level)
  const link = new URL(location.href)
  if (level === USUAL) link.searchParams.delete(PARAMETER)
  else link.searchParams.set(PARAMETER, level)
  history.replaceState(null, '', link)
}

function setSelects(level: string): undefined {
  for (const id of SELECTS) byId(id, HTMLSelectElement).value = level
}
