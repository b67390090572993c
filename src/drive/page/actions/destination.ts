/** A folder is chosen: one goes down from the own files or a shared drive, and takes the one that is open. */
import { openDialog } from '../../../web/page/dialog.ts'
import { button, element } from '../../../web/page/elements.ts'
import { FOLDER, type List, type SharedDrive } from '../answers.ts'
import { call, callAll, describeError } from '../service.ts'
import { quoted } from '../query.ts'

export interface Destination {
  readonly id: string
  readonly title: string
}

const MOST = 200

/** `isBarred`: a folder that cannot be taken, nor what is in it. The window stays open while `take` is under way. */
export function chooseFolder(
  title: string,
  verb: string,
  isBarred: (folder: Destination) => boolean,
  take: (folder: Destination) => Promise<void>,
): void {
  /** From the top to the one that is open; empty: the top itself, which is no folder. */
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
    // another one was opened meanwhile
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
  /** Why there are none to be shown. */
  readonly problem: string | undefined
  readonly go: (to: readonly Destination[]) => Promise<void>
}

function showFolders({ crumbs, list, hint, path, folders, problem, go }: Shown): void {
  const places: readonly Destination[] = [{ id: '', title: 'Everywhere' }, ...path]
  const opener = (text: string, to: readonly Destination[], style?: string) =>
    element(
      'li',
      {},
      button(text, () => void go(to), { class: style }),
    )
  crumbs.replaceChildren(...places.map(({ title }, at) => opener(title, path.slice(0, at), 'link')))
  list.replaceChildren(...folders.map((folder) => opener(folder.title, [...path, folder])))
  const few = folders.length === 0 ? 'No folders in here.' : ''
  hint.textContent = problem ?? (folders.length >= MOST ? `The first ${MOST} folders.` : few)
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
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    maxResults: MOST,
    orderBy: 'title_natural',
    fields: 'items(id,title)',
  })
  return items
}
