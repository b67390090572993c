/** Versions of a file: saves, compares and restores them. */
import { button, element, hint, table } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { type PageItem, type Revision, filePath } from '../answers.ts'
import { firstFormat, isDocument, saveExport, fetchContent, save } from './formats.ts'
import { callAll } from '../service.ts'
import { attempt, say, secondText } from '../panel.ts'
import { transfer } from '../upload/transfer.ts'
import { diffLines } from 'diff'

/** `changed` runs after the file got a new head. */
export async function versions(item: PageItem, changed: () => void): Promise<Node[]> {
  if (item.capabilities['canReadRevisions'] !== true)
    return [hint('People who can edit this file see its versions.')]
  const all = await callAll<Revision>(`${filePath(item.id)}/revisions`, {
    fields: 'nextPageToken,items(id,modifiedDate,mimeType,fileSize,lastModifyingUserName)',
  })
  const comparison = element('div', { 'aria-live': 'polite' })
  const rows = all.toReversed().map((revision, at) => {
    const before = all.at(-2 - at)
    const number = all.length - at
    const compare = () =>
      void attempt(undefined, async () => {
        if (before === undefined) return
        comparison.replaceChildren(...(await compareVersions(item, { before, after: revision, number })))
        comparison.querySelector<HTMLElement>('h4')?.focus()
        comparison.scrollIntoView({ block: 'nearest' })
      })
    return versionRow({ item, revision, number, isHead: at === 0, changed, compare: before && compare })
  })
  const columns = ['Version', 'Saved', 'By', 'Size', 'Actions']
  return [table(all.length === 1 ? '1 version' : `${all.length} versions`, columns, rows), comparison]
}

interface VersionRow {
  readonly item: PageItem
  readonly revision: Revision
  /** Number among the versions that are kept, from 1 for the oldest. */
  readonly number: number
  readonly isHead: boolean
  readonly changed: () => void
  /** Shows the difference to the version before; undefined for the oldest. */
  readonly compare: (() => void) | undefined
}

function versionRow({ item, revision, number, isHead, changed, compare }: VersionRow) {
  const { id, modifiedDate, lastModifyingUserName, fileSize } = revision
  const path = versionPath(item, id)
  const name = `version ${number}`
  const isExported = isDocument(item)
  const get = () =>
    void attempt(undefined, () =>
      isExported ? saveExport(item, firstFormat(item), id) : save(path, item.title),
    )
  const back = () =>
    void attempt(`Version ${number} is the newest again.`, async () => {
      await restore(item, revision, path)
      changed()
    })
  const mayRestore = !isHead && !isExported && item.capabilities['canModifyContent'] === true
  const actions = element(
    'span',
    { class: 'actions' },
    button('Download', get, { 'aria-label': `Download ${name}` }),
    compare && !isExported
      ? button('Compare', compare, { 'aria-label': `Compare ${name} with version ${number - 1}` })
      : undefined,
    mayRestore ? button('Restore', back, { 'aria-label': `Restore ${name}` }) : undefined,
  )
  return [
    `${number}${isHead ? ' (newest)' : ''}`,
    secondText(modifiedDate),
    lastModifyingUserName ?? '',
    fileSize === undefined ? '' : sizeText(Number(fileSize)),
    actions,
  ]
}

function versionPath({ id }: PageItem, revision: string): string {
  return `${filePath(id)}/revisions/${encodeURIComponent(revision)}`
}

/** Uploads the old content again, so that the versions in between stay. */
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

/** Limits of a comparison: bytes of a version, differing lines, ms. */
const [MAX_BYTES, MAX_EDITS, DIFF_TIMEOUT_MS] = [4e6, 5000, 3000]
/** Equal lines shown around each difference. */
const AROUND = 2
const MAX_SHOWN_LINES = 500

interface ComparedVersions {
  readonly before: Revision
  readonly after: Revision
  /** Number of the later one. */
  readonly number: number
}

async function compareVersions(item: PageItem, { before, after, number }: ComparedVersions): Promise<Node[]> {
  const heading = element(
    'h4',
    { tabindex: '-1' },
    `Version ${number - 1} (${secondText(before.modifiedDate)}) and version ${number} (${secondText(after.modifiedDate)})`,
  )
  const sizes = [before, after].map(({ fileSize }) => Number(fileSize ?? 0))
  if (Math.max(...sizes) > MAX_BYTES)
    return [heading, hint(`Versions of more than ${sizeText(MAX_BYTES)} are not compared here.`)]
  const [old, now] = await Promise.all([before, after].map((one) => textAt(item, one)))
  if (old === undefined || now === undefined)
    return [heading, hint('These versions are not texts and cannot be compared.')]
  const parts = diffLines(old, now, { maxEditLength: MAX_EDITS, timeout: DIFF_TIMEOUT_MS })
  if (parts === undefined)
    return [heading, hint('The versions differ in too many lines to be compared here.')]
  const lines = parts.flatMap(({ value, added, removed }, at) =>
    added || removed
      ? splitLines(value).map((text) => lineElement(text, added ? '+' : '−'))
      : kept(splitLines(value), at === 0, at === parts.length - 1),
  )
  const count = (wanted: 'added' | 'removed') =>
    parts.reduce((sum, part) => sum + (part[wanted] ? part.count : 0), 0)
  const [more, less] = [count('added'), count('removed')]
  if (more + less === 0) return [heading, hint('They are the same, line for line.')]
  const shown = lines.slice(0, MAX_SHOWN_LINES)
  const rest =
    lines.length > shown.length ? ` The first ${MAX_SHOWN_LINES} lines of the comparison are shown.` : ''
  return [
    heading,
    hint(`${countLines(more)} added, ${countLines(less)} removed.${rest}`),
    element(
      'pre',
      { class: 'difference', tabindex: '0', role: 'region', 'aria-label': 'What differs' },
      ...shown,
    ),
  ]
}

async function textAt(item: PageItem, revision: Revision): Promise<string | undefined> {
  const content = await fetchContent(versionPath(item, revision.id))
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await content.arrayBuffer())
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function splitLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function lineElement(text: string, sign: string): HTMLElement {
  const [tag, word] = sign === '+' ? (['ins', 'added: '] as const) : (['del', 'removed: '] as const)
  return element(tag, {}, element('span', { class: 'heard' }, word), `${sign} ${text}\n`)
}

/** Keeps the equal lines next to a difference. */
function kept(lines: readonly string[], isFirst: boolean, isLast: boolean): (string | Node)[] {
  const [start, end] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND]
  if (lines.length <= start + end + 1) return lines.map((line) => `  ${line}\n`)
  return [
    ...lines.slice(0, start).map((line) => `  ${line}\n`),
    element('span', { class: 'hint' }, `  … ${countLines(lines.length - start - end)} unchanged …\n`),
    ...lines.slice(lines.length - end).map((line) => `  ${line}\n`),
  ]
}

function countLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}
