/** What can be done with items, alone and several at once: in the menu of each, above a list and beside a file. */
import { confirmed } from '../../../web/page/dialog.ts'
import { filePath, isFolder, type PageItem } from '../answers.ts'
import { saveFile } from '../file/save.ts'
import { call } from '../service.ts'
import { attempt } from '../talk.ts'
import { saveArchive } from './archive.ts'
import { doWithEach } from './each.ts'
import { chooseAndCopy, chooseAndMove, nameItems } from './move.ts'

export interface ItemAction {
  readonly text: string
  readonly may: (item: PageItem) => boolean
  /** `then`: shows what has changed. */
  readonly run: (items: readonly PageItem[], then: () => Promise<void>) => unknown
}

const can =
  (...capabilities: readonly string[]) =>
  (item: PageItem) =>
    capabilities.some((capability) => item.capabilities[capability] === true)
const isAlive = ({ labels }: PageItem) => !labels.trashed
const isPlaced = ({ parents }: PageItem) => parents.length > 0

const ACTIONS: readonly ItemAction[] = [
  {
    text: 'Save to disk',
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
      isAlive(item) && isPlaced(item) && can('canMoveItemWithinDrive', 'canMoveItemOutOfDrive')(item),
    run: chooseAndMove,
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
    text: 'Move to trash',
    may: (item) => isAlive(item) && can('canTrash')(item),
    run: (items, then) => doWithEach(items, 'in the trash', post('trash'), then),
  },
  {
    text: 'Restore',
    may: can('canUntrash'),
    run: (items, then) => doWithEach(items, 'restored', post('untrash'), then),
  },
  {
    text: 'Delete for ever',
    may: (item) => !isAlive(item) && can('canDelete')(item),
    run: async (items, then) => {
      const inside = items.some(isFolder) ? ' All that is in the folders goes with them.' : ''
      const text = `All versions are deleted, for everybody, and cannot be restored.${inside}`
      if (!(await confirmed(`Delete ${nameItems(items)} for ever?`, text, 'Delete for ever'))) return
      await doWithEach(items, 'deleted', ({ id }) => call(filePath(id), {}, undefined, 'DELETE'), then)
    },
  },
]

/** What may be done with all of them. */
export function actionsFor(items: readonly PageItem[]): readonly ItemAction[] {
  return ACTIONS.filter(({ may }) => items.every(may))
}

function post(verb: string) {
  return ({ id }: PageItem) => call(`${filePath(id)}/${verb}`, {}, undefined, 'POST')
}

function star(items: readonly PageItem[], starred: boolean, then: () => Promise<void>): Promise<void> {
  const set = ({ id }: PageItem) => call(filePath(id), { fields: 'id' }, { labels: { starred } }, 'PATCH')
  return doWithEach(items, starred ? 'starred' : 'no longer starred', set, then)
}
