/** Makes a rule of a folder. */
import { button, element, labelled } from '../../../web/page/elements.ts'
import { chooseFolder } from '../actions/destination.ts'
import type { PageItem, RuleList } from '../answers.ts'
import { callAt } from '../service.ts'
import { attempt } from '../talk.ts'

export function ruleForm(
  folder: PageItem,
  { methods, releases }: RuleList['offers'],
  done: () => Promise<void>,
): HTMLElement {
  const method = choice('rule-method', methods.map((one) => [one, one]), 'lgx') // prettier-ignore
  const known = releases.map((one) => [one, one] as const)
  const release = choice('rule-release', [['', 'the server’s own'], ...known], '')
  const name = element('input', { id: 'rule-name', autocomplete: 'off', placeholder: '{stem}.lgx{suffix}' })
  const existing = element('input', { id: 'rule-existing', type: 'checkbox' })
  const { to, below, chosen } = resultPlace(folder)
  method.addEventListener('change', () => (name.placeholder = `{stem}.${method.value}{suffix}`))
  const form = element(
    'form',
    { class: 'row' },
    labelled(method.id, 'Reduce to', method),
    labelled(release.id, 'Release', release),
    labelled(name.id, 'Called', name),
    labelled(to.id, 'Results', to),
    element('label', { class: 'check' }, existing, ' also tables that are here already'),
    element('label', { class: 'check' }, below, ' also tables in the folders below'),
    element('button', {}, 'Make rule'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const given = {
      folder: folder.id,
      method: method.value,
      ...(release.value === '' ? {} : { release: release.value }),
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
      ...chosen(),
      includesExisting: existing.checked,
      withSubfolders: below.checked,
    }
    void attempt('The rule is made.', async () => {
      await callAt('rules', {}, given)
      await done()
    })
  })
  return form
}

interface ResultPlace {
  readonly to: HTMLButtonElement
  /** Whether the rule is about the folders below, too: then the results of several folders would mix anywhere else. */
  readonly below: HTMLInputElement
  readonly chosen: () => { readonly target?: string }
}

function resultPlace(folder: PageItem): ResultPlace {
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

function choice(
  id: string,
  words: readonly (readonly [value: string, text: string])[],
  chosen: string,
): HTMLSelectElement {
  const options = words.map(([value, text]) => element('option', { value, selected: value === chosen }, text))
  return element('select', { id }, ...options)
}
