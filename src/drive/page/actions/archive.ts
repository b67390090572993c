/** Several items, and folders with all that is in them, saved to disk as one zip.  [network] */
import { makeZip } from 'client-zip'
import { sizeText } from '../../../web/page/size.ts'
import { filePath, isFolder, ITEM, type PageItem } from '../answers.ts'
import { saveBlob } from '../file/save.ts'
import { quoted } from '../query.ts'
import { callAll, send } from '../service.ts'
import { say } from '../talk.ts'

/** A browser keeps the whole of it until it is saved. */
const [MOST_FILES, MOST_BYTES] = [10_000, 2e9]

interface Entry {
  readonly name: string
  /** undefined: a folder. */
  readonly item: PageItem | undefined
}

export async function saveArchive(items: readonly PageItem[]): Promise<void> {
  const name = items.length === 1 ? (items[0]?.title ?? 'files') : 'files'
  say('Looking what is to be saved …')
  const { entries, leftOut } = await collect(items)
  const total = entries.reduce((sum, { item }) => sum + Number(item?.fileSize ?? 0), 0)
  if (total > MOST_BYTES)
    throw new Error(
      `These are ${sizeText(total)}, and a browser keeps ${sizeText(MOST_BYTES)} at most: hla drive get saves more.`,
    )
  const contents = new Response(makeZip(archived(entries, total), { buffersAreUTF8: true }))
  saveBlob(new Blob([await contents.blob()], { type: 'application/zip' }), `${safeName(name)}.zip`)
  const without =
    leftOut.length === 0 ? '' : ` Without ${leftOut.join(', ')}: there is nothing of it to save.`
  say(`${safeName(name)}.zip is saved.${without}`, leftOut.length > 0)
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

/** All that is in them; `leftOut`: what has no content that one may save. */
async function collect(items: readonly PageItem[]) {
  const [entries, leftOut]: [Entry[], string[]] = [[], []]
  const seen = new Set<string>()
  const add = async (item: PageItem, folder: string, taken: Set<string>): Promise<void> => {
    if (entries.length >= MOST_FILES)
      throw new Error(`These are more than ${MOST_FILES} files: hla drive get saves more.`)
    const name = `${folder}${freeName(safeName(item.title), taken)}`
    if (!isFolder(item)) {
      const mayBeSaved = item.fileSize !== undefined && item.capabilities['canDownload'] === true
      if (mayBeSaved) entries.push({ name, item })
      else leftOut.push(name)
      return
    }
    // a folder may be in several, and in old stores in itself
    if (seen.has(item.id)) return void leftOut.push(name)
    seen.add(item.id)
    entries.push({ name, item: undefined })
    const inside = new Set<string>()
    for (const child of await childrenIn(item)) await add(child, `${name}/`, inside)
  }
  const top = new Set<string>()
  for (const item of items) await add(item, '', top)
  return { entries, leftOut }
}

function childrenIn({ id }: PageItem): Promise<PageItem[]> {
  return callAll<PageItem>('files', {
    q: `${quoted(id)} in parents and trashed = false`,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    maxResults: 1000,
    fields: `nextPageToken,items(${ITEM})`,
  })
}

/** A title may be anything; a name of a file on a disk may not. */
export function safeName(title: string): string {
  // oxlint-disable-next-line no-control-regex
  const name = title.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]/g, '_').replace(/^\.+$/, '_')
  return name === '' ? 'Untitled' : name
}

/** Two items of a folder may have one name. Disks of several systems do not know upper case from lower. */
function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let at = 2; taken.has(free.toLowerCase()); at += 1) free = `${stem} (${at})${ending}`
  taken.add(free.toLowerCase())
  return free
}
