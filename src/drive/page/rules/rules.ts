/** Rules of a folder, which convert each table put into it; and the conversions of a file. */
import { button, choice, element, formFor, hint, labelled, table } from '../../../web/page/elements.ts'
import { methodTitle } from '../../../web/page/methods.ts'
import { type Comment, type PageItem, type Rule, type RuleList, filePath, quoted } from '../answers.ts'
import { type PageRoute, formatRoute } from '../route.ts'
import { IN_ALL_DRIVES, Refusal, call, callAll, callAt } from '../service.ts'
import { attempt, dateText } from '../panel.ts'
import { chooseFolder } from '../actions/destination.ts'

export async function rules(folder: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  const { items, offers } = await callAt<RuleList>('rules', { folder: folder.id })
  const columns = ['Rule', 'Result', 'Actions']
  const rows = items.map((rule) => [
    element('span', {}, ...describeRule(rule, folder)),
    describeState(rule),
    removeButton(rule, reload),
  ])
  return [
    ...(rows.length === 0
      ? [hint('A rule reduces every table that is added to this folder.')]
      : [table(rows.length === 1 ? '1 rule' : `${rows.length} rules`, columns, rows)]),
    ...(offers.methods.length === 0 ? [] : [ruleForm(folder, offers, reload)]),
  ]
}

function describeRule(
  { method, release, match, target, maker, folder, withSubfolders }: Rule,
  { id }: PageItem,
): (string | Node)[] {
  const tables = match === undefined ? 'Tables' : `Tables called ${match}`
  const to = target === undefined ? '' : ' in another folder'
  const by = release === undefined ? '' : ` by ${release}`
  const what = `${tables} to ${method}${by}${to}, for ${maker.displayName}`
  if (!withSubfolders) return [what]
  if (folder.id === id || folder.id === null) return [`${what}, also in the folders below`]
  const above = routeLink({ kind: 'folder', id: folder.id }, folder.title ?? '')
  return [`${what}, by the folder `, above]
}

function describeState({ converted, failed, lastDate, reason, trouble }: Rule): string {
  if (reason !== undefined) return `Ended: ${reason}.`
  const last = lastDate === undefined ? '' : `, last ${dateText(lastDate)}`
  const counts = converted + failed === 0 ? 'Nothing yet' : `${converted} converted, ${failed} failed${last}`
  return trouble === undefined ? `${counts}.` : `${counts}. The rule is waiting: ${trouble}.`
}

function removeButton(rule: Rule, reload: () => Promise<void>): HTMLElement {
  const remove = () =>
    attempt('The rule is removed; the files it made stay.', () =>
      callAt(`rules/${encodeURIComponent(rule.id)}`, {}, undefined, 'DELETE'),
    ).then(reload)
  return button('Remove', () => void remove(), { 'aria-label': `Remove the rule to ${rule.method}` })
}

function ruleForm(
  folder: PageItem,
  { methods, releases }: RuleList['offers'],
  done: () => Promise<void>,
): HTMLElement {
  const method = choice({ id: 'rule-method' }, methods.map((one) => [one, methodTitle(one)]), 'lgx') // prettier-ignore
  const known = releases.map((one) => [one, one] as const)
  const release = choice({ id: 'rule-release' }, [['', 'server default'], ...known], '')
  const existing = element('input', { id: 'rule-existing', type: 'checkbox' })
  const { to, below, chosen } = resultFolder(folder)
  const make = () => {
    const given = {
      folder: folder.id,
      method: method.value,
      ...(release.value === '' ? {} : { release: release.value }),
      ...chosen(),
      includesExisting: existing.checked,
      withSubfolders: below.checked,
    }
    void attempt('The rule is made.', async () => {
      await callAt('rules', {}, given)
      await done()
    })
  }
  return formFor(
    make,
    { class: 'row' },
    labelled(method.id, 'Reduce to', method),
    labelled(release.id, 'Release', release),
    labelled(to.id, 'Results', to),
    element('label', { class: 'choice' }, existing, 'Also tables that are already here'),
    element('label', { class: 'choice' }, below, 'Also tables in the folders below'),
    element('button', {}, 'Make rule'),
  )
}

interface ResultFolder {
  readonly to: HTMLButtonElement
  /** Includes the folders below. Results must then stay beside the tables, because those of several folders would mix. */
  readonly below: HTMLInputElement
  readonly chosen: () => { readonly target?: string }
}

function resultFolder(folder: PageItem): ResultFolder {
  let target: string | undefined
  const to = button('beside the tables', () => {
    chooseFolder('Where the results go', 'Put them here', () => false, (chosen) => {
      target = chosen.id === folder.id ? undefined : chosen.id
      to.textContent = target === undefined ? 'beside the tables' : chosen.title
      return Promise.resolve()
    }) // prettier-ignore
  }, { id: 'rule-to' }) // prettier-ignore
  const below = element('input', { id: 'rule-below', type: 'checkbox' })
  below.addEventListener('change', () => {
    to.disabled = below.checked
    if (!below.checked) return
    target = undefined
    to.textContent = 'beside the tables'
  })
  return { to, below, chosen: () => (target === undefined ? {} : { target }) }
}

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

/** Empty for a file that no rule has used or made. */
export async function conversions(item: PageItem): Promise<Node[]> {
  if (item.fileSize === undefined) return []
  const file = await call<Marked>(filePath(item.id), { fields: FIELDS })
  const marks = marksOn(file)
  // the ids differ in a copy, which a user made
  if (marks.get('hla-own') === file.id && marks.has('hla-done')) return [await madeFrom(file, marks)]
  const [outputs, failure] = await Promise.all([outputsOf(item), failureOf(item)])
  if (outputs.length === 0 && failure === undefined) return []
  const columns = ['Result', 'Made by', 'State']
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
  const what = from === undefined ? 'a table that no longer exists' : link(from)
  const state = from === undefined ? '' : `: ${stateOf(file, from.headRevisionId)}`
  return element('p', {}, 'Made from ', what, `, ${madeBy(file)}${state}.`)
}

/** A converted file's maker, method and release. */
function madeBy(file: Marked): string {
  const marks = marksOn(file)
  const [how, release] = ['hla-how', 'hla-data'].map((key) => marks.get(key))
  const who = file.lastModifyingUserName === undefined ? '' : ` of ${file.lastModifyingUserName}`
  return [
    `by a rule${who}`,
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
  return routeLink({ kind: 'file', id }, title)
}

/** Begins with a path: a first link of a dialog that begins with `#` counts as one that skips to a part of the page. */
function routeLink(route: PageRoute, title: string): HTMLElement {
  return element('a', { href: `./${formatRoute(route)}` }, title)
}

async function outputsOf({ id }: PageItem): Promise<readonly Marked[]> {
  const q = `properties has { key='hla-from' and value=${quoted(id)} and visibility='PUBLIC' } and trashed = false`
  const found = await callAll<Marked>('files', {
    q,
    maxResults: 100,
    ...IN_ALL_DRIVES,
    fields: `nextPageToken,items(${FIELDS})`,
  })
  return found.filter((file) => marksOn(file).get('hla-own') === file.id)
}

/** Ending of a rule's comment on a table (`commentSign` in src/drive/domain/rules/settle-table.ts). */
const COMPLAINT = /\n\(hla redux [^:\n]+: (?:failed|empty), revision (\S+)\)$/

/** Failure of the present version. */
async function failureOf({ id, headRevisionId }: PageItem): Promise<string | undefined> {
  const all = await callAll<Comment>(`${filePath(id)}/comments`, {
    maxResults: 100,
    fields: 'nextPageToken,items(content)',
  })
  const said = all.find(({ content = '' }) => COMPLAINT.exec(content)?.[1] === headRevisionId)
  return said?.content?.replace(COMPLAINT, '')
}
