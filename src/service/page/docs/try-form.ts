/** Form that sends a sample request, as it is or edited, and shows the answer. */
import { element } from '../../../web/page/elements.ts'
import { sendAny } from '../service.ts'
import type { SampleRequest } from './sample-request.ts'

/** Maximum number of characters of an answer shown. */
const MAX_SHOWN = 20_000

export function tryForm(id: string, { method, path, body, type }: SampleRequest): HTMLElement {
  const address = element('input', {
    id: `${id}-address`,
    value: path,
    spellcheck: 'false',
    autocomplete: 'off',
    required: true,
  })
  const text =
    body === undefined
      ? undefined
      : element('textarea', { id: `${id}-body`, rows: '4', spellcheck: 'false' }, body.trimEnd())
  const answer = element('div', { role: 'status' })
  const form = element(
    'form',
    { class: 'try' },
    element('label', { for: `${id}-address` }, method === 'GET' ? 'Address' : 'Address to send it to'),
    address,
    ...(text === undefined ? [] : [element('label', { for: `${id}-body` }, `Body (${type})`), text]),
    element('button', { class: 'main', 'aria-label': `Send ${method} ${path}` }, 'Send'),
    answer,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send()
  })
  const send = async () => {
    answer.replaceChildren('Waiting for the answer …')
    const started = performance.now()
    try {
      const sent = text === undefined ? {} : { body: text.value, headers: { 'content-type': type ?? '' } }
      // keeps the request on this service, whatever the user enters
      const got = await sendAny(`./${address.value.replace(/^[/\\]+/, '')}`, sent)
      const content = await got.text()
      const took = Math.round(performance.now() - started)
      answer.replaceChildren(
        element('p', { class: 'hint' }, `${got.status} ${got.statusText}, ${took} ms`),
        element('pre', { tabindex: '0', role: 'region', 'aria-label': `Answer of ${path}` }, shown(content)),
      )
    } catch (error) {
      answer.replaceChildren(
        element('p', { class: 'problem' }, error instanceof Error ? error.message : String(error)),
      )
    }
  }
  return form
}

function shown(content: string): string {
  const text = indented(content)
  return text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length.toLocaleString('en')} characters`
    : text
}

function indented(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2)
  } catch {
    return content
  }
}
