/** What rules have made of a table, and what a file was made from: as they have written it on the files. */
import { element, table } from '../../../web/page/elements.ts'
import { type Comment, filePath, type PageItem } from '../answers.ts'
import { formatPlace } from '../place.ts'
import { quoted } from '../query.ts'
import { call, callAll, Refusal } from '../service.ts'
import { dateText } from '../talk.ts'

type Property = { readonly key: string; readonly value: string; readonly visibility: string }

interface Marked {
  readonly id: string
  readonly title: string
  readonly modifiedDate: string
  readonly lastModifyingUserName?: string
  readonly headRevisionId?: string
  readonly properties?: readonly Property[]
}

const FIELDS = 'id,title,modifiedDate,lastModifyingUserName,headRevisionId,properties(key,value,visibility)'

/** Nothing for a file that no rule had to do with. */
export async function conversions(item: PageItem): Promise<Node[]> {
  if (item.fileSize === undefined) return []
  const file = await call<Marked>(filePath(item.id), { fields: FIELDS })
  const marks = marksOn(file)
  // a copy of such a file was made by somebody
  if (marks.get('hla-own') === file.id && marks.has('hla-done')) return [await madeFrom(file, marks)]
  const [outputs, failure] = await Promise.all([outputsOf(item), failureOf(item)])
  if (outputs.length === 0 && failure === undefined) return []
  const columns = ['Result', 'Made by', 'State'].map((title) => ({ title }))
  const rows = outputs.map((output) => [link(output), madeBy(output), stateOf(output, item.headRevisionId)])
  const count = rows.length === 1 ? '1 result' : `${rows.length} results`
  return [
    ...(failure === undefined ? [] : [element('p', { class: 'problem said' }, failure)]),
    ...(rows.length === 0 ? [] : [table(count, columns, rows)]),
  ]
}

function marksOn({ properties = [] }: Marked): ReadonlyMap<string, string> {
  const open = properties.filter(({ visibility }) => visibility === 'PUBLIC')
  return new Map(open.map(({ key, value }) => [key, value]))
}

async function madeFrom(file: Marked, marks: ReadonlyMap<string, string>): Promise<HTMLElement> {
  const [source = ''] = (marks.get('hla-made') ?? '').split(' ')
  const from = await call<Marked>(filePath(source), { fields: FIELDS }).catch((error: unknown) => {
    if (error instanceof Refusal && (error.status === 404 || error.status === 403)) return undefined
    throw error
  })
  const what = from === undefined ? 'a table that is not here any more' : link(from)
  const state = from === undefined ? '' : `: ${stateOf(file, from.headRevisionId)}`
  return element('p', {}, 'Made from ', what, `, ${madeBy(file)}${state}.`)
}

/** Version 1 had watches beside rules, the first of which did not write all of it down. */
function madeBy(file: Marked): string {
  const marks = marksOn(file)
  const [by, how, release] = ['hla-by', 'hla-how', 'hla-data'].map((key) => marks.get(key))
  const who = file.lastModifyingUserName === undefined ? '' : ` of ${file.lastModifyingUserName}`
  return [
    by?.startsWith('rule') === true ? `by a rule${who}` : `by a watch${who}`,
    ...(how === undefined ? [] : [how]),
    ...(release === undefined ? [] : [`release ${release}`]),
  ].join(' · ')
}

function stateOf(output: Marked, revision: string | undefined): string {
  const [done] = (marksOn(output).get('hla-done') ?? '').split(' ')
  const what = done === revision ? 'up to date' : 'of an older version of the table'
  return `${what}, ${dateText(output.modifiedDate)}`
}

function link({ id, title }: Marked): HTMLElement {
  return element('a', { href: formatPlace({ kind: 'file', id }) }, title)
}

async function outputsOf({ id }: PageItem): Promise<readonly Marked[]> {
  const q = `properties has { key='hla-from' and value=${quoted(id)} and visibility='PUBLIC' } and trashed = false`
  const found = await callAll<Marked>('files', {
    q,
    maxResults: 100,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    fields: `nextPageToken,items(${FIELDS})`,
  })
  return found.filter((file) => marksOn(file).get('hla-own') === file.id)
}

/** How a rule ends a comment on a table (client/drive/cli/rules/complaints.ts); version 1 had `hla drive watch`. */
const COMPLAINT = /\n\(hla (?:rule|drive watch) \w+: (?:failed|empty), revision (\S+)\)$/

/** Of the version that is there now. */
async function failureOf({ id, headRevisionId }: PageItem): Promise<string | undefined> {
  const all = await callAll<Comment>(`${filePath(id)}/comments`, {
    maxResults: 100,
    fields: 'nextPageToken,items(content)',
  })
  const said = all.find(({ content = '' }) => COMPLAINT.exec(content)?.[1] === headRevisionId)
  return said?.content?.replace(COMPLAINT, '')
}
