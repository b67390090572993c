/** Folder chooser: the user starts at My Drive or a shared drive, opens folders, and chooses the open one. */
import { openDialog } from '../../../web/page/dialog.ts'
import { button, element } from '../../../web/page/elements.ts'
import { FOLDER, type List, type PageItem, type SharedDrive, filePath, quoted } from '../answers.ts'
import { IN_ALL_DRIVES, call, callAll, describeError } from '../service.ts'
import { doWithEach } from '../panel.ts'

export interface Destination {
  readonly id: string
  readonly title: string
}

const MAX_FOLDERS = 200

/** `isBarred` hides a folder, and with it all below. The dialog stays open while `take` runs. */
export function chooseFolder(
  title: string,
  verb: string,
  isBarred: (folder: Destination) => boolean,
  take: (folder: Destination) => Promise<void>,
): void {
  /** Folders from the top to the open one; empty at the top level, which is not a folder. */
  let path: readonly Destination[] = []
  const parts = {
    crumbs: element('ol', { class: 'above' }),
    list: element('ul', { class: 'folders' }),
    hint: element('p', { class: 'hint', role: 'status' }),
  }
  const go = async (to: readonly Destination[]) => {
    path = to
    dialog.refresh()
    parts.hint.textContent = 'Loading …'
    const found = await foldersIn(to.at(-1)).catch((error: unknown) => describeError(error))
    // the user has opened another folder meanwhile
    if (path !== to) return
    const folders = typeof found === 'string' ? [] : found.filter((folder) => !isBarred(folder))
    const problem = typeof found === 'string' ? found : undefined
    showFolders({ ...parts, path, folders, problem, go })
  }
  const act = async () => {
    const open = path.at(-1)
    if (open !== undefined) await take(open)
  }
  const dialog = openDialog(title, [parts.crumbs, parts.list, parts.hint], {
    text: verb,
    act,
    isDisabled: () => path.length === 0,
  })
  void call<Destination>('files/root', { fields: 'id,title' })
    .then((root) => go([root]))
    .catch(() => go([]))
}

interface Shown {
  readonly crumbs: HTMLElement
  readonly list: HTMLElement
  readonly hint: HTMLElement
  readonly path: readonly Destination[]
  readonly folders: readonly Destination[]
  /** Error to show instead of folders. */
  readonly problem: string | undefined
  readonly go: (to: readonly Destination[]) => Promise<void>
}

function showFolders({ crumbs, list, hint, path, folders, problem, go }: Shown): void {
  const steps: readonly Destination[] = [{ id: '', title: 'Everywhere' }, ...path]
  const opener = (text: string, to: readonly Destination[], style?: string) =>
    element(
      'li',
      {},
      button(text, () => void go(to), { class: style }),
    )
  crumbs.replaceChildren(...steps.map(({ title }, at) => opener(title, path.slice(0, at), 'link')))
  list.replaceChildren(...folders.map((folder) => opener(folder.title, [...path, folder])))
  const few = folders.length === 0 ? 'There are no folders here.' : ''
  hint.textContent = problem ?? (folders.length >= MAX_FOLDERS ? `The first ${MAX_FOLDERS} folders.` : few)
  const next = list.querySelector('button') ?? crumbs.querySelector<HTMLElement>('li:last-child button')
  next?.focus()
}

async function foldersIn(parent: Destination | undefined): Promise<readonly Destination[]> {
  if (parent === undefined) {
    const [root, drives] = await Promise.all([
      call<Destination>('files/root', { fields: 'id,title' }),
      callAll<SharedDrive>('drives', { maxResults: 100, fields: 'nextPageToken,items(id,name)' }),
    ])
    return [root, ...drives.map(({ id, name }) => ({ id, title: name }))]
  }
  const q = `${quoted(parent.id)} in parents and mimeType = '${FOLDER}' and trashed = false`
  const { items } = await call<List<Destination>>('files', {
    q,
    ...IN_ALL_DRIVES,
    maxResults: MAX_FOLDERS,
    orderBy: 'title_natural',
    fields: 'items(id,title)',
  })
  return items
}

type Then = () => Promise<void>

export function chooseAndMove(items: readonly PageItem[], then: Then): void {
  const isItself = ({ id }: Destination) => items.some((item) => item.id === id)
  chooseFolder(`Move ${nameItems(items)}`, 'Move here', isItself, (to) => moveItems(items, to, then))
}

export function moveItems(items: readonly PageItem[], to: Destination, then: Then): Promise<void> {
  const act = async (item: PageItem) => {
    if (item.id === to.id) throw new Error('A folder cannot be put into itself.')
    if (item.parents.some(({ id }) => id === to.id)) throw new Error(`It is in ${to.title} already.`)
    await changeParents(item, idsOf(item.parents), to.id)
  }
  const undo = (item: PageItem) => changeParents(item, to.id, idsOf(item.parents))
  return doWithEach(items, `in ${to.title} now`, { act, undo }, then)
}

function idsOf(parents: PageItem['parents']): string {
  return parents.map(({ id }) => id).join(',')
}

function changeParents({ id }: PageItem, removeParents: string, addParents: string): Promise<unknown> {
  const query = {
    ...(addParents === '' ? {} : { addParents }),
    ...(removeParents === '' ? {} : { removeParents }),
    fields: 'id',
  }
  return call(filePath(id), query, {}, 'PATCH')
}

export function chooseAndCopy(items: readonly PageItem[], then: Then): void {
  chooseFolder(
    `Copy ${nameItems(items)}`,
    'Copy here',
    () => false,
    (to) => copyItems(items, to, then),
  )
}

function copyItems(items: readonly PageItem[], to: Destination, then: Then): Promise<void> {
  const act = ({ id, title, parents }: PageItem) => {
    const isHere = parents.some((parent) => parent.id === to.id)
    const body = { title: isHere ? `Copy of ${title}` : title, parents: [{ id: to.id }] }
    return call(`${filePath(id)}/copy`, { fields: 'id' }, body)
  }
  return doWithEach(items, `copied to ${to.title}`, { act }, then)
}

export function nameItems(items: readonly PageItem[]): string {
  return items.length === 1 ? (items[0]?.title ?? '') : `${items.length} items`
}
