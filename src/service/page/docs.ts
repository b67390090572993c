/** /openapi.json to be read by people: one article a route. */
import { element, part, table } from '../../web/page/elements.ts'
import {
  formatCurl,
  type Described,
  isReference,
  schemaName,
  type OpenApi,
  readRoutes,
  type PageSchema,
} from './routes.ts'

void show()

async function show(): Promise<void> {
  try {
    const answer = await fetch('openapi.json')
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    const document = (await answer.json()) as OpenApi // our own, made by openapi.ts
    part('title').textContent = `${document.info.title}, interface ${document.info.version}`
    const routes = readRoutes(document)
    part('index').replaceChildren(...routes.map(indexItem))
    part('routes').replaceChildren(...routes.map((route) => article(route)))
    part('status').textContent = ''
  } catch (error) {
    part('status').className = 'failed'
    part('status').textContent = `The description cannot be read: ${String(error)}`
  }
}

function indexItem({ id, method, path }: Described): HTMLElement {
  return element('li', {}, element('a', { href: `#${id}` }, `${method} ${path}`))
}

function article(route: Described): HTMLElement {
  const { id, method, path, summary, parameters, body, responses } = route
  return element(
    'article',
    { id, 'aria-labelledby': `${id}-title` },
    element(
      'h2',
      { id: `${id}-title` },
      element('span', { class: 'method' }, method),
      element('span', { class: 'path' }, path),
    ),
    element('p', {}, summary),
    parameters.length === 0 ? undefined : valuesTable('In the address', parameters),
    body === undefined ? undefined : valuesTable(`In the body (${body.type})`, body.values),
    answersTable(responses),
    element(
      'pre',
      { tabindex: '0', role: 'region', 'aria-label': `${method} ${path} with curl` },
      formatCurl(route, location.href),
    ),
  )
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
