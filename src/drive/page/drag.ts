/** Drag and drop: items onto any folder named on the page, and files of the machine onto the page. */
import { type Destination, moveItems } from './actions/destination.ts'
import type { PageItem } from './answers.ts'
import { parseRoute } from './route.ts'
import { type PathFile, droppedFiles } from './upload/transfer.ts'

interface Dragged {
  readonly items: readonly PageItem[]
  readonly moved: () => Promise<void>
}

/** Items dragged within this page; things dragged from elsewhere are not items. */
let dragged: Dragged | undefined
let takeFiles: ((files: readonly PathFile[]) => void) | undefined

/** `items` returns the items to drag with the row. `moved` refreshes the view. */
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

/** Sets the handler for files dropped on the page; undefined to accept none. */
export function takeDroppedFiles(take: ((files: readonly PathFile[]) => void) | undefined): void {
  takeFiles = take
}

/** Installs the listeners on the document; call it once. */
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
    // prevents the browser from opening a file dropped outside every target
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
  const route = link === null ? undefined : parseRoute(new URL(link.href).hash)
  if (link === null || route?.kind !== 'folder') return undefined
  if (dragged.items.some(({ id }) => id === route.id)) return undefined
  return { node: row ?? link, folder: { id: route.id, title: link.textContent?.trim() ?? '' } }
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
