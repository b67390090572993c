/** Fields of forms, each with its label. */
import { element, labelled } from '../../../web/page/elements.ts'

export interface Field {
  readonly input: HTMLInputElement
  /** With the label, from which no end of a line parts it. */
  readonly node: HTMLElement
}

type Attributes = Readonly<Record<string, string | boolean | undefined>>

export function field(id: string, label: string, attributes: Attributes = {}): Field {
  const input = element('input', { id, autocomplete: 'off', ...attributes })
  return { input, node: labelled(id, label, input) }
}

export function checkField(id: string, label: string, isChecked = false): Field {
  const input = element('input', { id, type: 'checkbox', checked: isChecked })
  return { input, node: element('label', { class: 'choice' }, input, label) }
}

/** In a grid: labels on the left, boxes on the right. */
export function fieldGrid(...fields: readonly Field[]): HTMLElement {
  return element('div', { class: 'fields' }, ...fields.map(({ node }) => node))
}

/** What is asked for stands beside the button that does it. */
export function formOf(verb: string, fields: readonly Node[], send: () => void): HTMLFormElement {
  const form = element('form', { class: 'row' }, ...fields, element('button', {}, verb))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send()
  })
  return form
}

const GB = 1e9

/** Empty: no limit. */
export function quotaField(quota: number | null): Field {
  const value = quota === null ? '' : String(quota / GB)
  return field('quota', 'Quota (GB)', { type: 'number', min: '0', step: 'any', value, placeholder: 'none' })
}

export function readQuota({ input }: Field): number | null {
  return input.value === '' ? null : Math.round(Number(input.value) * GB)
}

export function passwordField(label: string): Field {
  return field('new-password', label, {
    type: 'password',
    autocomplete: 'new-password',
    minlength: '12',
    maxlength: '1024',
  })
}

/** undefined: nothing was written. */
export function textIn({ input }: Field): string | undefined {
  const text = input.value.trim()
  return text === '' ? undefined : text
}
