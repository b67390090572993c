/** What is dragged: items into folders, wherever a folder is named on the page; files of the machine to wherever one is. */
import { type Destination, moveItems } from './actions/destination.ts'
import type { PageItem } from './answers.ts'
import { parsePlace } from './place.ts'
import { type PathFile, droppedFiles } from './upload/transfer.ts'

interface Dragged {
  readonly items: readonly PageItem[]
  readonly moved: () => Promise<void>
}

/** Of this page: what is dragged here from elsewhere are no items. */
let dragged: Dragged | undefined
let takeFiles: ((files: readonly PathFile[]) => void) | undefined

/** `items`: what goes along when the row is dragged. `moved`: shows what has changed. */
export function dragRow(
  row: HTMLElement,
  items: () => readonly PageItem[],
  moved: () => Promise<void>,
): void {
  row.draggable = true
  row.addEventListener('dragstart', ({ dataTransfer }) => {
    if (dataTransfer === null) return
    dragged = { items: items(), moved }
    dataTransfer.effectAllowed = 'move'
    dataTransfer.setData('text/plain', dragged.items.map(({ title }) => title).join('\n'))
  })
  row.addEventListener('dragend', () => (dragged = undefined))
}

/** Files that are dropped anywhere on the page: undefined where none are taken. */
export function takeDroppedFiles(take: ((files: readonly PathFile[]) => void) | undefined): void {
  takeFiles = take
}

/** Listens on the whole page, once. */
export function watchDrags(): void {
  const over = (event: DragEvent) => {
    const target = dropTarget(event)
    mark(target)
    if (target !== undefined) event.preventDefault()
  }
  document.addEventListener('dragover', over)
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) mark(undefined)
  })
  document.addEventListener('dragend', () => mark(undefined))
  document.addEventListener('drop', (event) => {
    const target = dropTarget(event)
    mark(undefined)
    // a file that is dropped beside everything does not take the place of the page
    event.preventDefault()
    if (target !== undefined) void drop(target, event)
  })
}

interface Target {
  readonly node: HTMLElement
  readonly folder?: Destination
}

function dropTarget({ target, dataTransfer }: DragEvent): Target | undefined {
  if (dragged === undefined)
    return dataTransfer?.types.includes('Files') === true && takeFiles !== undefined
      ? { node: document.body }
      : undefined
  if (!(target instanceof Element)) return undefined
  const row = target.closest<HTMLElement>('tbody tr')
  const link = row === null ? target.closest('a') : row.querySelector('a')
  const place = link === null ? undefined : parsePlace(new URL(link.href).hash)
  if (link === null || place?.kind !== 'folder') return undefined
  if (dragged.items.some(({ id }) => id === place.id)) return undefined
  return { node: row ?? link, folder: { id: place.id, title: link.textContent?.trim() ?? '' } }
}

async function drop({ folder }: Target, { dataTransfer }: DragEvent): Promise<void> {
  if (dragged !== undefined && folder !== undefined) {
    const { items, moved } = dragged
    return moveItems(items, folder, moved)
  }
  if (dataTransfer === null || takeFiles === undefined) return
  const take = takeFiles
  take(await droppedFiles(dataTransfer))
}

let marked: HTMLElement | undefined

function mark(target: Target | undefined): void {
  if (marked === target?.node) return
  marked?.classList.remove('over')
  marked = target?.node
  marked?.classList.add('over')
}
