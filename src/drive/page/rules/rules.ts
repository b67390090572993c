/** The rules of a folder: what the server makes of each table that is put into it. */
import { button, element, table } from '../../../web/page/elements.ts'
import type { PageItem, Rule, RuleList } from '../answers.ts'
import { formatPlace } from '../place.ts'
import { callAt } from '../service.ts'
import { attempt, dateText } from '../talk.ts'
import { ruleForm } from './rule-form.ts'

export async function rules(folder: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  const { items, offers } = await callAt<RuleList>('rules', { folder: folder.id })
  const columns = ['Rule', 'What came of it', 'Actions'].map((title) => ({ title }))
  const rows = items.map((rule) => [
    element('span', {}, ...describeRule(rule, folder)),
    describeState(rule),
    removeButton(rule, reload),
  ])
  return [
    ...(rows.length === 0
      ? [
          element(
            'p',
            { class: 'hint' },
            'A rule reduces each table that is put into this folder, once, while nobody watches.',
          ),
        ]
      : [table(rows.length === 1 ? '1 rule' : `${rows.length} rules`, columns, rows)]),
    ...(offers.methods.length === 0 ? [] : [ruleForm(folder, offers, reload)]),
  ]
}

function describeRule(
  { method, release, name, match, target, maker, folder, withSubfolders }: Rule,
  { id }: PageItem,
): (string | Node)[] {
  const tables = match === undefined ? 'Tables' : `Tables called ${match}`
  const to = target === undefined ? '' : ' in another folder'
  const by = release === undefined ? '' : ` by ${release}`
  const what = `${tables} to ${method}${by}, as ${name}${to}, for ${maker.displayName}`
  if (!withSubfolders) return [what]
  if (folder.id === id || folder.id === null) return [`${what}, also in the folders below`]
  const above = element('a', { href: formatPlace({ kind: 'folder', id: folder.id }) }, folder.title ?? '')
  return [`${what}, by the folder `, above]
}

function describeState({ converted, failed, lastDate, reason, trouble }: Rule): string {
  if (reason !== undefined) return `Ended: ${reason}.`
  const last = lastDate === undefined ? '' : `, last ${dateText(lastDate)}`
  const counts = converted + failed === 0 ? 'Nothing yet' : `${converted} converted, ${failed} failed${last}`
  return trouble === undefined ? `${counts}.` : `${counts}. It waits: ${trouble}.`
}

function removeButton(rule: Rule, reload: () => Promise<void>): HTMLElement {
  const remove = () =>
    attempt('The rule is removed; what it made stays.', () =>
      callAt(`rules/${encodeURIComponent(rule.id)}`, {}, undefined, 'DELETE'),
    ).then(reload)
  return button('Remove', () => void remove(), { 'aria-label': `Remove rule ${rule.name}` })
}
