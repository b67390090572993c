/** Requests that a store refuses, with the status, reason, place and message of each answer (refusals.session). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ADMIN_ROOT } from '../../../src/drive/contract/admin-requests.ts'
import { printedBy } from '../../support/call-hla.ts'
import type { Reply } from '../../support/drive.ts'
import { useSharedStore } from '../../support/people.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const at = useSharedStore()
const FOLDER = 'application/vnd.google-apps.folder'
const FIELDS = [
  { id: 'by', valueType: 'text', maxLength: 40, maxValues: 1 },
  { id: 'is', valueType: 'selection', choices: ['yes', 'no'] },
  { id: 'who', valueType: 'user' },
]

/** Name in a request -> id. */
const ids = new Map<string, string>()
beforeAll(async () => {
  const { ada, bo } = at
  ids.set('$FILE', await at.stored('file.csv'))
  const make = async (who: typeof ada, body: object): Promise<string> =>
    (await who.ask('POST', '/drive/v2/files', { body })).json.id
  ids.set('$FOLDER', await make(ada, { title: 'folder', mimeType: FOLDER }))
  ids.set('$OTHER', await make(bo, { title: 'other' }))
  ids.set('$SHARED', await make(bo, { title: 'shared', mimeType: FOLDER }))
  const permission = { role: 'reader', type: 'user', value: ada.email }
  await bo.ask('POST', `/drive/v2/files/${ids.get('$SHARED')}/permissions`, { body: permission })
  const query = { requestId: 'made' }
  ids.set('$DRIVE', (await ada.ask('POST', '/drive/v2/drives', { body: { name: 'drive' }, query })).json.id)
  const { json } = await ada.ask('GET', `/drive/v2/files/${ids.get('$FILE')}`)
  ids.set('$HEAD', json.headRevisionId)
  ids.set('$ROOT', json.parents[0].id)
  ids.set('$OWNER', ada.id)
  ids.set('$BO', bo.id)
  await ada.ask('POST', `/drive/v2/files/${ids.get('$FOLDER')}/permissions`, {
    body: { role: 'reader', type: 'user', value: bo.email },
  })
  ids.set('$BELOW', await at.stored('below.csv', ids.get('$FOLDER')))
  const inDrive = { title: 'item', parents: [{ id: ids.get('$DRIVE') }] }
  const item = await ada.ask('POST', '/drive/v2/files', { body: inDrive, query: { supportsAllDrives: true } })
  ids.set('$ITEM', item.json.id)
  const link = (await ada.ask('POST', '/links', { body: { file: ids.get('$FILE') } })).json
  ids.set('$LINK', link.id)
  writeFileSync(temp('fields.json'), JSON.stringify(FIELDS))
  const label = [
    'drive',
    'label',
    'set',
    'checked',
    '--fields',
    temp('fields.json'),
    '--data',
    at.drive.folder,
  ]
  await printedBy(label, { cwd: temp('.') })
})

test('each is refused as written', async () => {
  const path = join(import.meta.dirname, 'refusals.session')
  const written = readFileSync(path, 'utf8')
  const lines: string[] = []
  for (const line of written.split('\n')) {
    if (line.startsWith('→ ')) continue
    lines.push(line)
    const [, method, where, , body] = /^([A-Z]+) (\S+)( (.*))?$/.exec(line) ?? []
    if (method !== undefined && where !== undefined) lines.push(`→ ${told(await send(method, where, body))}`)
  }
  const now = lines.join('\n')
  // writes the current answers: read the difference before you commit it
  if (process.env['HLA_UPDATE_SESSIONS']) writeFileSync(path, now)
  else expect(now).toBe(written)
})

/** Sends a line: a path is below `/drive/v2/` unless it begins with a slash; `LONG40` is a text of so many characters. */
function send(method: string, where: string, given: string | undefined): Promise<Reply> {
  const path = withIds(where.startsWith('/') ? where : `/drive/v2/${where}`)
  const body = given === undefined ? undefined : withIds(given)
  const isForm = /^\/(?:token|revoke|device)/.test(path)
  return at.drive.ask(method, path, {
    token: isForm ? undefined : path.startsWith(ADMIN_ROOT) ? at.admin : at.ada.token,
    ...(body === undefined ? {} : { body }),
    headers: {
      accept: 'application/json',
      ...(isForm
        ? { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
        : { 'content-type': 'application/json; charset=utf-8' }),
    },
  })
}

function withIds(text: string): string {
  const named = [...ids].reduce((now, [name, id]) => now.replaceAll(name, id), text)
  return named.replaceAll(/LONG(\d+)/g, (_, length) => 'x'.repeat(Number(length)))
}

/** `400 invalid title: message`, with names in place of ids. */
function told({ status, json, text }: Reply): string {
  if (status < 300) return String(status)
  const { message, errors: [first] = [{}] } = json?.error ?? {}
  const { reason, location } = first as { readonly reason?: string; readonly location?: string }
  const said =
    typeof json?.error === 'string'
      ? [json.error, json.error_description]
      : [reason, ...(location === undefined ? [] : [location]), message ?? text]
  const words = `${status} ${said.slice(0, -1).join(' ')}: ${said.at(-1) ?? ''}`
  return [...ids]
    .reduce((now, [name, id]) => now.replaceAll(id, name), words)
    .replaceAll(/x{40,}/g, (run) => `LONG${run.length}`)
}
