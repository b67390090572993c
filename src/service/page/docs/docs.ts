/**
 * Renders /openapi.json for people: one collapsible section per route, with parameters, examples in several languages,
 * and a form to try it.
 */
import { byId, element, part, table } from '../../../web/page/elements.ts'
import { useToken } from '../service.ts'
import {
  type Described,
  type OpenApi,
  type PageSchema,
  isReference,
  readRoutes,
  schemaName,
} from './routes.ts'
import { type SampleRequest, sampleRequest } from './sample-request.ts'
import { tryForm } from './try-form.ts'

const LANGUAGES = ['curl', 'Python', 'R', 'JavaScript'] as const
type Language = (typeof LANGUAGES)[number]

/** Media type -> file name for bodies that are files. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['application/octet-stream', 'donors.csv'],
  ['application/jsonl', 'questions.jsonl'],
])

/** `page` is the address of the service. */
function formatSnippet(language: Language, request: SampleRequest, page: string): string {
  const url = new URL(request.path, page).href
  const file = FILES.get(request.type ?? '')
  const json = request.body === undefined || file !== undefined ? undefined : request.body
  const asked = { url, json, file, isJson: request.isJson }
  switch (language) {
    case 'curl':
      return curl(asked)
    case 'Python':
      return python(asked)
    case 'R':
      return r(asked)
    case 'JavaScript':
      return javaScript(asked)
  }
}

interface TryRequest {
  readonly url: string
  /** JSON body or file body; both undefined without a body. */
  readonly json: string | undefined
  readonly file: string | undefined
  readonly isJson: boolean
}

function curl({ url, json, file }: TryRequest): string {
  if (file !== undefined) return `curl '${url}' --data-binary @${file}`
  if (json === undefined) return `curl '${url}'`
  return `curl '${url}' -H 'content-type: application/json' \\\n  -d '${oneLine(json)}'`
}

function python({ url, json, file, isJson }: TryRequest): string {
  const send =
    json === undefined
      ? file === undefined
        ? ''
        : `, data=open("${file}", "rb")`
      : `, json=${oneLine(json)}`
  const ask = `requests.${send === '' ? 'get' : 'post'}("${url}"${send})`
  return `import requests\n\nanswer = ${ask}\nanswer.raise_for_status()\nprint(answer.${isJson ? 'json()' : 'text'})`
}

function r({ url, json, file, isJson }: TryRequest): string {
  const body =
    json === undefined
      ? file === undefined
        ? []
        : [`req_body_file("${file}")`]
      : [`req_body_raw('${oneLine(json)}', type = "application/json")`]
  const read = isJson ? 'resp_body_json()' : 'resp_body_string()'
  return `library(httr2)\n\n${[`request("${url}")`, ...body, 'req_perform()', read].join(' |>\n  ')}`
}

function javaScript({ url, json, file, isJson }: TryRequest): string {
  const open = file === undefined ? '' : `const { readFile } = await import('node:fs/promises')\n\n`
  const given =
    json === undefined
      ? file === undefined
        ? ''
        : `, {\n  method: 'POST',\n  body: await readFile('${file}'),\n}`
      : `, {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${oneLine(json)}),\n}`
  return `${open}const answer = await fetch('${url}'${given})\nconsole.log(await answer.${isJson ? 'json()' : 'text()'})`
}

function oneLine(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

let language: Language = 'curl'

part('languages').append(
  ...LANGUAGES.map((name) => {
    const box = element('input', { type: 'radio', name: 'language', value: name, checked: name === language })
    box.addEventListener('change', () => {
      language = name
      for (const show of shown) show()
    })
    return element('label', {}, box, name)
  }),
)
part('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  useToken(byId('token', HTMLInputElement).value)
})
window.addEventListener('hashchange', openNamed)
void show()

/** Functions that redraw each example in the selected language. */
const shown: (() => void)[] = []

async function show(): Promise<void> {
  try {
    const answer = await fetch('openapi.json')
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    const document = (await answer.json()) as OpenApi // made by openapi.ts
    part('title').textContent = `${document.info.title}, API ${document.info.version}`
    part('routes').replaceChildren(...document.tags.flatMap((tag) => section(tag, readRoutes(document))))
    part('status').textContent = ''
    openNamed()
  } catch (error) {
    part('status').className = 'failed'
    part('status').textContent = `The description cannot be read: ${String(error)}`
  }
}

/** Heading of a section, then each of its routes. */
function section({ name, description }: OpenApi['tags'][number], routes: readonly Described[]): Node[] {
  return [
    element('h2', {}, description),
    ...routes.filter(({ tag }) => tag === name).map((route) => fold(route)),
  ]
}

/** Opens the section named in the address. */
function openNamed(): void {
  const named = document.getElementById(location.hash.slice(1))
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView()
}

function fold(route: Described): HTMLElement {
  const { id, method, path, summary } = route
  const made = element(
    'details',
    { id, class: 'route' },
    element(
      'summary',
      {},
      element(
        'h3',
        {},
        element('span', { class: 'method' }, method),
        element('span', { class: 'path' }, path),
      ),
      element('span', { class: 'summary' }, summary),
    ),
  )
  // content is created when first opened
  made.addEventListener('toggle', () => made.append(...content(route)), { once: true })
  return made
}

function content(route: Described): Node[] {
  const { id, method, path, parameters, body, responses } = route
  const request = sampleRequest(route)
  const example = element('pre', {
    tabindex: '0',
    role: 'region',
    'aria-label': `${method} ${path} as an example`,
  })
  const showExample = () => (example.textContent = formatSnippet(language, request, location.href))
  shown.push(showExample)
  showExample()
  return [
    example,
    tryForm(id, request),
    ...(parameters.length === 0 ? [] : [valuesTable('In the address', parameters)]),
    ...(body === undefined ? [] : [valuesTable(`In the body (${body.type})`, body.values)]),
    answersTable(responses),
  ]
}

function valuesTable(caption: string, values: Described['parameters']): HTMLElement {
  const rows = values.map(({ name, required, schema }) => [
    name,
    required ? 'yes' : 'no',
    describeType(schema),
    schema.description ?? '',
  ])
  const columns = [
    { title: 'Name' },
    { title: 'Needed' },
    { title: 'Type', style: 'name' },
    { title: 'Meaning' },
  ]
  return table(caption, columns, rows)
}

function describeType(schema: PageSchema): string {
  if (isReference(schema)) return schemaName(schema)
  const { type, enum: choices, items, properties } = schema
  if (choices !== undefined) return choices.join(' | ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : describeType(items)}`
  if (properties !== undefined) return `{ ${Object.keys(properties).join(', ')} }`
  return [type ?? 'anything'].flat().join(' | ')
}

function answersTable(responses: Described['responses']): HTMLElement {
  const rows = responses.map(({ status, description, schema }) => [
    status,
    description,
    describeShape(schema),
  ])
  const columns = [{ title: 'Status' }, { title: 'When' }, { title: 'Body', style: 'name' }]
  return table('Answers', columns, rows)
}

function describeShape(schema: PageSchema): string {
  const { allOf, anyOf, oneOf, properties } = schema
  if (allOf !== undefined) return allOf.map(describeShape).join(' and ')
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map(describeShape).join(', or ')
  return properties === undefined || isReference(schema)
    ? describeType(schema)
    : Object.keys(properties).join(' ')
}
