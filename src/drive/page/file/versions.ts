/** The versions of a file: each can be saved, and made the newest again. */
import { button, element, table } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import type { PageItem, Revision } from '../answers.ts'
import { compareVersions } from './compare.ts'
import { firstFormat, isDocument, saveExport } from './formats.ts'
import { fetchContent, save } from './save.ts'
import { callAll } from '../service.ts'
import { attempt, dateText, say } from '../talk.ts'
import { transfer } from '../upload/transfer.ts'

/** `changed`: the file has a new head. */
export async function versions(item: PageItem, changed: () => void): Promise<Node[]> {
  if (item.capabilities['canReadRevisions'] !== true)
    return [element('p', { class: 'hint' }, 'Whoever may change this file sees its versions.')]
  const all = await callAll<Revision>(`files/${encodeURIComponent(item.id)}/revisions`, {
    fields: 'nextPageToken,items(id,modifiedDate,mimeType,fileSize,lastModifyingUserName)',
  })
  const comparison = element('div', { 'aria-live': 'polite' })
  const rows = all.toReversed().map((revision, at) => {
    const before = all.at(-2 - at)
    const compare = () =>
      void attempt(undefined, async () => {
        if (before !== undefined)
          comparison.replaceChildren(...(await compareVersions(item, before, revision)))
      })
    return versionRow({ item, revision, isHead: at === 0, changed, compare: before && compare })
  })
  const columns = ['Version', 'By', 'Size', 'Actions'].map((title) => ({ title }))
  return [table(all.length === 1 ? '1 version' : `${all.length} versions`, columns, rows), comparison]
}

interface VersionRow {
  readonly item: PageItem
  readonly revision: Revision
  readonly isHead: boolean
  readonly changed: () => void
  /** Shows what differs from the version before; undefined: there is none. */
  readonly compare: (() => void) | undefined
}

function versionRow({ item, revision, isHead, changed, compare }: VersionRow) {
  const { id, modifiedDate, lastModifyingUserName, fileSize } = revision
  const path = `files/${encodeURIComponent(item.id)}/revisions/${encodeURIComponent(id)}`
  const date = dateText(modifiedDate)
  const isExported = isDocument(item)
  const get = () =>
    void attempt(undefined, () =>
      isExported ? saveExport(item, firstFormat(item), id) : save(path, item.title),
    )
  const back = () =>
    void attempt(`The version of ${date} is the newest again.`, async () => {
      await restore(item, revision, path)
      changed()
    })
  const mayRestore = !isHead && !isExported && item.capabilities['canModifyContent'] === true
  const actions = element(
    'span',
    { class: 'actions' },
    button('Save', get, { 'aria-label': `Save the version of ${date}` }),
    compare && !isExported
      ? button('Compare', compare, { 'aria-label': `Compare the version of ${date} with the one before` })
      : undefined,
    mayRestore ? button('Restore', back, { 'aria-label': `Restore the version of ${date}` }) : undefined,
  )
  return [
    isHead ? `${date} (newest)` : date,
    lastModifyingUserName ?? '',
    fileSize === undefined ? '' : sizeText(Number(fileSize)),
    actions,
  ]
}

/** Its bytes are sent again: what was there in between stays a version too. */
async function restore({ id, title }: PageItem, revision: Revision, path: string): Promise<void> {
  const what = {
    title,
    content: await fetchContent(path),
    type: revision.mimeType,
    to: { file: id },
    mark: `restore ${id} ${revision.id}`,
  }
  await transfer(what, {
    signal: new AbortController().signal,
    moved: (held) => say(`${sizeText(held)} of ${sizeText(what.content.size)}`),
    waits: (seconds) => say(`Connection lost: retrying in ${seconds} s.`),
  })
}
