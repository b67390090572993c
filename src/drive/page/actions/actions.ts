/** Actions on one or several items: in the menu of each item and of the open one, and above a list.  [network] */
import { askName, confirmed } from '../../../web/page/dialog.ts'
import { type PageItem, filePath, isFolder } from '../answers.ts'
import { refreshDetails, showDetails } from '../details.ts'
import { saveBlob, saveFile } from '../file/formats.ts'
import { openSharing } from '../file/sharing.ts'
import { call, fetchChildren, send } from '../service.ts'
import { attempt, doWithEach, say, undoing } from '../panel.ts'
import { chooseAndCopy, chooseAndMove, nameItems } from './destination.ts'
import { makeZip } from 'client-zip'
import type { MenuEntry } from '../../../web/page/menu.ts'
import { sizeText } from '../../../web/page/size.ts'
import { formatRoute } from '../route.ts'

export interface ItemAction {
  readonly text: string
  readonly may: (item: PageItem) => boolean
  readonly isOfOne?: true
  /** `then` refreshes the view. */
  readonly run: (items: readonly PageItem[], then: () => Promise<void>) => unknown
}

const can =
  (...capabilities: readonly string[]) =>
  (item: PageItem) =>
    capabilities.some((capability) => item.capabilities[capability] === true)
const isAlive = ({ labels }: PageItem) => !labels.trashed
const hasFolder = ({ parents }: PageItem) => parents.length > 0

const ACTIONS: readonly ItemAction[] = [
  {
    text: 'Rename',
    isOfOne: true,
    may: (item) => isAlive(item) && can('canRename')(item),
    run: ([item], then) => item && askRename(item.title, (title) => patch(item, { title }), then),
  },
  {
    text: 'Share',
    isOfOne: true,
    may: (item) => isAlive(item) && can('canShare')(item),
    run: ([item]) => item && openSharing(item, () => void refreshDetails()),
  },
  {
    text: 'Copy link',
    isOfOne: true,
    // browsers offer the clipboard only to pages over https and of this machine
    may: (item) => isAlive(item) && navigator.clipboard !== undefined,
    run: ([item]) => item && copyLink(item),
  },
  {
    text: 'Download',
    may: (item) => isFolder(item) || (item.fileSize !== undefined && can('canDownload')(item)),
    run: (items) => {
      const [one, ...others] = items
      if (one === undefined) return
      const isFile = others.length === 0 && !isFolder(one)
      void attempt(undefined, () => (isFile ? saveFile(one.id, one.title) : saveArchive(items)))
    },
  },
  {
    text: 'Move',
    may: (item) =>
      isAlive(item) && hasFolder(item) && can('canMoveItemWithinDrive', 'canMoveItemOutOfDrive')(item),
    run: chooseAndMove,
  },
  {
    text: 'Versions',
    isOfOne: true,
    may: (item) => item.fileSize !== undefined,
    run: ([item], changed) => item && showDetails(item, { tab: 'Versions', changed }),
  },
  {
    text: 'Details',
    isOfOne: true,
    may: () => true,
    run: ([item], changed) => item && showDetails(item, { changed }),
  },
  { text: 'Copy', may: (item) => isAlive(item) && can('canCopy')(item), run: chooseAndCopy },
  {
    text: 'Star',
    may: (item) => isAlive(item) && !item.labels.starred,
    run: (items, then) => star(items, true, then),
  },
  {
    text: 'Remove star',
    may: ({ labels }) => labels.starred,
    run: (items, then) => star(items, false, then),
  },
  {
    text: 'Delete',
    may: (item) => isAlive(item) && can('canTrash')(item),
    run: (items, then) =>
      doWithEach(items, 'in the trash', { act: post('trash'), undo: post('untrash') }, then),
  },
  {
    text: 'Restore',
    may: can('canUntrash'),
    run: (items, then) => doWithEach(items, 'restored', { act: post('untrash') }, then),
  },
  {
    text: 'Delete for ever',
    may: (item) => !isAlive(item) && can('canDelete')(item),
    run: async (items, then) => {
      const inside = items.some(isFolder) ? ' Everything in the folders is deleted too.' : ''
      const text = `All versions are deleted, for everybody, and cannot be restored.${inside}`
      if (!(await confirmed(`Delete ${nameItems(items)} for ever?`, text, 'Delete for ever'))) return
      const act = ({ id }: PageItem) => call(filePath(id), {}, undefined, 'DELETE')
      await doWithEach(items, 'deleted', { act }, then)
    },
  },
]

/** Moves the items to the trash if that is allowed on all of them. */
export function trash(items: readonly PageItem[], then: () => Promise<void>): void {
  const action = actionsFor(items).find(({ text }) => text === 'Delete')
  if (items.length > 0) void action?.run(items, then)
}

/** Entries of an item's menu. `then` refreshes the view. */
export function menuEntries(item: PageItem, then: () => Promise<void>): readonly MenuEntry[] {
  return actionsFor([item]).map(({ text, run }) => ({ text, press: () => void run([item], then) }))
}

/** Actions that are allowed on all of the items. */
export function actionsFor(items: readonly PageItem[]): readonly ItemAction[] {
  return ACTIONS.filter(({ may, isOfOne }) => (isOfOne !== true || items.length === 1) && items.every(may))
}

function routeOf(item: PageItem): string {
  return formatRoute({ kind: isFolder(item) ? 'folder' : 'file', id: item.id })
}

function copyLink(item: PageItem): Promise<void> {
  const address = new URL(routeOf(item), location.href).href
  return attempt(`The link to ${item.title} is copied.`, () => navigator.clipboard.writeText(address))
}

/** `then` refreshes the view. */
export function askRename(
  name: string,
  rename: (to: string) => Promise<unknown>,
  then: () => Promise<void>,
): void {
  askName({ title: `Rename ${name}`, label: 'New name', verb: 'Rename', value: name }, async (to) => {
    await rename(to)
    await then()
    const back = undoing(`${to} is called ${name} again.`, () => rename(name))
    say(`${name} is now called ${to}.`, false, back)
  })
}

function patch({ id }: PageItem, body: object) {
  return call(filePath(id), { fields: 'id' }, body, 'PATCH')
}

function post(verb: string) {
  return ({ id }: PageItem) => call(`${filePath(id)}/${verb}`, {}, undefined, 'POST')
}

function star(items: readonly PageItem[], starred: boolean, then: () => Promise<void>): Promise<void> {
  const set = (item: PageItem) => patch(item, { labels: { starred } })
  return doWithEach(items, starred ? 'starred' : 'no longer starred', { act: set }, then)
}

/** Limits of an archive: the browser keeps all of it in memory until it is saved. */
const [MOST_FILES, MOST_BYTES] = [10_000, 2e9]

interface Entry {
  readonly name: string
  /** Undefined for a folder. */
  readonly item: PageItem | undefined
}

async function saveArchive(items: readonly PageItem[]): Promise<void> {
  const name = items.length === 1 ? (items[0]?.title ?? 'files') : 'files'
  say('Counting the files …')
  const { entries, leftOut } = await collect(items)
  const total = entries.reduce((sum, { item }) => sum + Number(item?.fileSize ?? 0), 0)
  if (total > MOST_BYTES)
    throw new Error(
      `These are ${sizeText(total)}; a browser can save ${sizeText(MOST_BYTES)} at most. ${fetchAdvice(items)}`,
    )
  const contents = new Response(makeZip(archived(entries, total), { buffersAreUTF8: true }))
  saveBlob(new Blob([await contents.blob()], { type: 'application/zip' }), `${safeName(name)}.zip`)
  const without = leftOut.length === 0 ? '' : ` Without ${leftOut.join(', ')}: no content to save.`
  say(`${safeName(name)}.zip is saved.${without}`, leftOut.length > 0)
}

/** Commands that fetch the items: one line each, for a terminal. */
function fetchAdvice(items: readonly PageItem[]): string {
  const lines = items.map((item) =>
    isFolder(item)
      ? `hla drive sync '${safeName(item.title).replaceAll("'", '_')}' ${item.id}`
      : `hla drive get ${item.id}`,
  )
  return `On the command line: ${lines.join('; ')}`
}

async function* archived(entries: readonly Entry[], total: number) {
  let done = 0
  for (const { name, item } of entries) {
    if (item === undefined) {
      yield { name: `${name}/` }
      continue
    }
    const answer = await send(`drive/v2/${filePath(item.id)}`, { query: { alt: 'media' } })
    const input = answer.body ?? new Uint8Array()
    yield { name, input, lastModified: new Date(item.modifiedDate) }
    done += Number(item.fileSize ?? 0)
    say(`${sizeText(done)} of ${sizeText(total)}`)
  }
}

/** Files and folders below the items; `leftOut` names those without content the user may save. */
async function collect(items: readonly PageItem[]) {
  const [entries, leftOut]: [Entry[], string[]] = [[], []]
  const seen = new Set<string>()
  const add = async (item: PageItem, folder: string, taken: Set<string>): Promise<void> => {
    if (entries.length >= MOST_FILES)
      throw new Error(`These are more than ${MOST_FILES} files. ${fetchAdvice(items)}`)
    const name = `${folder}${freeName(safeName(item.title), taken)}`
    if (!isFolder(item)) {
      const mayBeSaved = item.fileSize !== undefined && item.capabilities['canDownload'] === true
      if (mayBeSaved) entries.push({ name, item })
      else leftOut.push(name)
      return
    }
    // a folder may have several parents, and in old stores even contain itself
    if (seen.has(item.id)) return void leftOut.push(name)
    seen.add(item.id)
    entries.push({ name, item: undefined })
    const inside = new Set<string>()
    for (const child of await fetchChildren(item.id)) await add(child, `${name}/`, inside)
  }
  const top = new Set<string>()
  for (const item of items) await add(item, '', top)
  return { entries, leftOut }
}

/** Replaces characters that file systems do not allow in names. */
function safeName(title: string): string {
  // oxlint-disable-next-line no-control-regex
  const name = title.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]/g, '_').replace(/^\.+$/, '_')
  return name === '' ? 'Untitled' : name
}

/** Numbers a repeated name. Compares without case, as several file systems do. */
function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let at = 2; taken.has(free.toLowerCase()); at += 1) free = `${stem} (${at})${ending}`
  taken.add(free.toLowerCase())
  return free
}
