/** Links with their own address: password, download limit, expiry, and the list of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../../src/drive/domain/commands.ts'
import { findPrincipalById } from '../../../src/drive/domain/access/principals.ts'
import type { Reply } from '../../support/drive.ts'
import { type Person, useSharedStore } from '../../support/people.ts'
import { callHla, printedBy } from '../../support/call-hla.ts'

const at = useSharedStore()
const { guest, stored } = at
const FILES = '/drive/v2/files'
const FOLDER = 'application/vnd.google-apps.folder'
const PASSWORD = 'open, open, sesame'
async function folder(title: string): Promise<string> {
  return (await at.ada.ask('POST', FILES, { body: { title, mimeType: FOLDER } })).json.id
}
async function linkTo(file: string, more: object = {}) {
  const { json, status } = await at.ada.ask('POST', '/links', { body: { file, ...more } })
  expect(status).toBe(200)
  return json
}
const tried = (link: string, password: string): Promise<Reply> =>
  guest('POST', `/link/${link}`, { body: { password }, headers: { 'content-type': 'application/json' } })
/** The cookie that a browser would send with later requests. */
const cookieOf = (reply: Reply) => ({ cookie: reply.headers.getSetCookie()[0]?.split(';')[0] ?? '' })
const content = (id: string, headers: Record<string, string>, method = 'GET') =>
  guest(method, `${FILES}/${id}`, { query: { alt: 'media' }, headers })

describe('a link with a password', () => {
  test('opens its file to who knows the password, and nothing else', async () => {
    const [id, other] = [await stored('closed.csv'), await stored('other.csv')]
    const { id: link, address, hasPassword } = await linkTo(id, { password: PASSWORD })
    expect([address, hasPassword]).toEqual([`${at.drive.url}/link/${link}`, true])
    expect((await guest('GET', `${FILES}/${id}`)).status).toBe(401)
    const headers = cookieOf(await tried(link, PASSWORD))
    expect(headers.cookie).toMatch(/^hla-link=link-/)
    const { json, status } = await guest('GET', `${FILES}/${id}`, { headers })
    expect([status, json.title]).toEqual([200, 'closed.csv'])
    expect(JSON.stringify(json)).not.toContain('emailAddress')
    expect((await content(id, headers)).text).toBe('ID,A\n')
    expect((await guest('GET', `/public/${id}`, { headers })).json).toEqual({
      isOpen: true,
      sharedBy: 'ada',
      downloadsLeft: null,
    })
    expect((await guest('GET', `/public/${id}`)).json).toEqual({ isOpen: false })
    for (const [method, path] of [
      ['GET', `${FILES}/${other}`],
      ['GET', FILES],
      ['PATCH', `${FILES}/${id}`],
      ['GET', `${FILES}/${id}/permissions`],
    ] as const)
      expect((await guest(method, path, { headers })).status).toBe(401)
    // a cookie of another link, or a changed one
    const signed = headers.cookie.replace(link, (await linkTo(other, { password: PASSWORD })).id)
    expect((await content(other, { cookie: signed })).status).toBe(401)
    for (const cookie of [headers.cookie.replace('=', '=x'), `${headers.cookie}x`])
      expect((await content(id, { cookie })).status).toBe(401)
    // an account without the link does not see the file
    expect((await at.bo.ask('GET', `${FILES}/${id}`)).status).toBe(404)
    expect((await at.bo.ask('GET', `${FILES}/${id}`, { headers })).status).toBe(200)
  })

  test('asks for it by a form without a script, and limits guesses as a sign-in does', async () => {
    const id = await stored('form.csv')
    const { id: link } = await linkTo(id, { password: PASSWORD })
    const page = await guest('GET', `/link/${link}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(page.text).toContain('type="password"')
    expect(page.text).not.toMatch(/<script|form\.csv|ada@/)
    const post = (password: string) =>
      fetch(`${at.drive.url}/link/${link}`, {
        method: 'POST',
        body: new URLSearchParams({ password }),
        redirect: 'manual',
      })
    const right = await post(PASSWORD)
    expect([right.status, right.headers.get('location')]).toEqual([303, `/#file/${id}`])
    const wrong = await post('open, open, barley')
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    expect(await wrong.text()).toContain('The password is wrong.')
    const statuses: number[] = []
    for (let at = 0; at < 10; at += 1) statuses.push((await tried(link, 'open, open, barley')).status)
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429])
    expect((await tried(link, PASSWORD)).status).toBe(429)
  })

  test('without one opens by a form or a body alike', async () => {
    const id = await stored('no-password.csv')
    const { id: link } = await linkTo(id)
    const reply = await tried(link, 'any')
    expect(reply.status).toBe(200)
    expect((await content(id, cookieOf(reply))).text).toBe('ID,A\n')
    const form = await fetch(`${at.drive.url}/link/${link}`, {
      method: 'POST',
      body: new URLSearchParams({ password: '' }),
      redirect: 'manual',
    })
    expect([form.status, form.headers.get('location')]).toEqual([303, `/#file/${id}`])
  })

  test('opens what is in its folder, until it is removed', async () => {
    const top = await folder('registry')
    const id = await stored('inside.csv', top)
    const { id: link } = await linkTo(top, { password: PASSWORD })
    const headers = cookieOf(await tried(link, PASSWORD))
    const list = await guest('GET', FILES, { headers, query: { q: `'${top}' in parents` } })
    expect(list.json.items.map(({ title }: { title: string }) => title)).toEqual(['inside.csv'])
    expect((await content(id, headers)).status).toBe(200)
    expect((await at.bo.ask('DELETE', `/links/${link}`)).status).toBe(404)
    expect((await at.ada.ask('DELETE', `/links/${link}`)).status).toBe(204)
    expect((await content(id, headers)).status).toBe(401)
    expect((await guest('GET', `/link/${link}`)).status).toBe(404)
    expect((await tried(link, PASSWORD)).status).toBe(404)
  })
})

describe('a link with a limit of downloads', () => {
  test('lets no more through than it allows, however many come at once', async () => {
    const id = await stored('limited.csv')
    const { id: link, hasPassword } = await linkTo(id, { mostDownloads: 3 })
    expect(hasPassword).toBe(false)
    const entered = await fetch(`${at.drive.url}/link/${link}`, { redirect: 'manual' })
    const headers = { cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const replies = await Promise.all(Array.from({ length: 10 }, () => content(id, headers)))
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array(3).fill(200),
      ...Array(7).fill(403),
    ])
    const refused = replies.find(({ status }) => status === 403)
    expect(refused?.json.error.errors[0].reason).toBe('downloadQuotaExceeded')
    expect((await guest('GET', `${FILES}/${id}`, { headers })).status).toBe(200)
    const { json } = await at.ada.ask('GET', '/links')
    expect(json.items.find((one: { id: string }) => one.id === link)).toMatchObject({
      downloads: 3,
      mostDownloads: 3,
    })
  })

  test('counts neither what was known nor what was refused nor a look at the headers', async () => {
    const id = await stored('spared.csv')
    const { id: link } = await linkTo(id, { mostDownloads: 2, password: PASSWORD })
    const headers = cookieOf(await tried(link, PASSWORD))
    const first = await content(id, headers)
    const known = { ...headers, 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await content(id, known)).status).toBe(304)
    expect((await content(id, headers, 'HEAD')).status).toBe(200)
    expect((await content(id, { ...headers, range: 'bytes=900-' })).status).toBe(416)
    expect((await content(id, { ...headers, range: 'bytes=1-2' })).status).toBe(206)
    expect((await content(id, headers)).status).toBe(403)
  })

  test('counts exports, and its store passes a check', async () => {
    const copy = await at.ada.ask(
      'POST',
      `${FILES}/${await stored('table.csv', 'root', 'ID,A\n1,2\n')}/copy`,
      {
        body: {},
        query: { convert: true },
      },
    )
    const { id } = copy.json
    const { id: link } = await linkTo(id, { mostDownloads: 1, password: PASSWORD })
    const headers = cookieOf(await tried(link, PASSWORD))
    const exported = () => guest('GET', `${FILES}/${id}/export`, { headers, query: { mimeType: 'text/csv' } })
    expect([(await exported()).status, (await exported()).status]).toEqual([200, 403])
    await printedBy(['drive', 'fsck', '--data', at.drive.folder], { cwd: at.drive.folder })
  })
})

describe('links', () => {
  test('end when they say, or as the store says for those that say nothing', async () => {
    const id = await stored('ends.csv')
    const expires = new Date(Date.now() + 86_400_000).toISOString()
    expect((await linkTo(id, { expires })).expires).toBe(expires)
    expect((await linkTo(id)).expires).toBeNull()
    const open = async (more: object = {}) => {
      const body = { type: 'anyone', role: 'reader', withLink: true, ...more }
      return (await at.ada.ask('POST', `${FILES}/${await stored('open.csv')}/permissions`, { body })).json
    }
    expect((await open()).expirationDate).toBeUndefined()
    const set = (value: number | null) =>
      command(at.people.store, 'setLimit', OPERATOR, { name: 'link-days', value })
    await set(7)
    const days = (date: string) => Math.round((Date.parse(date) - Date.now()) / 86_400_000)
    expect(days((await linkTo(id)).expires)).toBe(7)
    expect(days((await open()).expirationDate)).toBe(7)
    expect(days((await open({ expirationDate: expires })).expirationDate)).toBe(1)
    expect((await linkTo(id, { expires: null })).expires).toBeNull()
    const user = { type: 'user', role: 'reader', value: at.bo.email }
    const given = await at.ada.ask('POST', `${FILES}/${id}/permissions`, { body: user })
    expect(given.json.expirationDate).toBeUndefined()
    await set(null)
  })

  test('show no e-mail address to callers without an account, also of an account that is named by its own', async () => {
    const [id, inFolder] = [await stored('addresses.csv'), await folder('addresses')]
    await stored('inside.csv', inFolder)
    const rename = (name: string) => command(at.people.store, 'changeUser', OPERATOR, { pk: at.ada.pk, name })
    const contains = (texts: readonly string[]) => texts.filter((text) => text.includes('@lab'))
    for (const name of [at.ada.email, `Ada L (${at.ada.email})`]) {
      await rename(name)
      const headers = cookieOf(await guest('GET', `/link/${(await linkTo(id)).id}`))
      const opened = [
        await guest('GET', `${FILES}/${id}`, { headers, query: { fields: '*' } }),
        await guest('GET', `/public/${id}`, { headers }),
      ]
      await at.ada.ask('POST', `${FILES}/${inFolder}/permissions`, {
        body: { type: 'anyone', role: 'reader', withLink: true },
      })
      opened.push(
        await guest('GET', FILES, { query: { q: `'${inFolder}' in parents`, fields: '*' } }),
        await guest('GET', `/public/${inFolder}`),
      )
      expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(contains(opened.map(({ text }) => text))).toEqual([])
      const shown = name.replace('@lab.example', '')
      expect(opened[0]?.json).toMatchObject({ ownerNames: [shown], owners: [{ displayName: shown }] })
      expect(opened[1]?.json.sharedBy).toBe(shown)
      // those who have an account see it as it is
      expect((await at.ada.ask('GET', `${FILES}/${id}`)).json.ownerNames).toEqual([name])
    }
    await rename('ada')
  })

  test('of their own stay for readers who have the address; links to the file itself take every role', async () => {
    const id = await stored('roles.csv')
    const path = `${FILES}/${id}/permissions`
    const { id: link } = await linkTo(id)
    const anyone = await at.ada.ask('POST', path, {
      body: { type: 'anyone', role: 'reader', withLink: true },
    })
    const change = (permission: string, body: object, verb = 'PATCH') =>
      at.ada.ask(verb, `${path}/${permission}`, { body })
    for (const body of [
      { role: 'writer' },
      { role: 'reader', additionalRoles: ['commenter'] },
      { withLink: false },
    ])
      for (const verb of ['PATCH', 'PUT']) expect((await change(link, body, verb)).status).toBe(400)
    expect((await change(link, { role: 'reader', withLink: true })).status).toBe(200)
    const headers = cookieOf(await guest('GET', `/link/${link}`))
    expect((await guest('GET', `${FILES}/${id}`, { headers })).json.capabilities.canEdit).toBe(false)
    for (const role of ['writer', 'commenter', 'reader'])
      expect(
        (
          await change(
            anyone.json.id,
            role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role },
          )
        ).status,
      ).toBe(200)
  })

  test('are over at their end', async () => {
    const id = await stored('over.csv')
    const { id: link } = await linkTo(id, { expires: new Date(Date.now() + 1500).toISOString() })
    const entered = await fetch(`${at.drive.url}/link/${link}`, { redirect: 'manual' })
    const headers = { cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    await expect.poll(async () => (await content(id, headers)).status, { timeout: 20_000 }).toBe(401)
    expect((await guest('GET', `/link/${link}`)).status).toBe(404)
  })

  test('are listed with their ends: to their makers and owners, and all of them to administrators', async () => {
    const id = await stored('listed.csv')
    const made = await linkTo(id, { password: PASSWORD, mostDownloads: 4 })
    const shown = async (q: string) =>
      (await at.ada.ask('GET', FILES, { query: { q: `title = 'listed.csv' and ${q}` } })).json.items.length
    const visible = ['anyoneWithLink', 'anyoneCanFind', 'limited'].map((one) => `visibility = '${one}'`)
    expect(await Promise.all(visible.map(shown))).toEqual([1, 0, 0])
    const link = { type: 'anyone', role: 'reader', withLink: true }
    await at.ada.ask('POST', `${FILES}/${id}/permissions`, { body: link })
    const mine = (await at.ada.ask('GET', '/links')).json.items.filter(
      (one: { file: string }) => one.file === id,
    )
    expect(mine).toMatchObject(
      [
        {
          id: made.id,
          title: 'listed.csv',
          maker: at.ada.email,
          hasPassword: true,
          downloads: 0,
          mostDownloads: 4,
        },
        {
          id: 'anyone',
          address: `${at.drive.url}/#file/${id}`,
          hasPassword: false,
          downloads: null,
          expires: null,
        },
      ].toSorted((one) => (one.id === mine[0].id ? -1 : 1)),
    )
    expect((await at.bo.ask('GET', '/links')).json.items).toEqual([])
    expect((await at.bo.ask('GET', '/links', { query: { all: true } })).status).toBe(403)
    const all = await at.drive.ask('GET', '/links', { token: at.admin, query: { all: true } })
    expect(all.json.items.map((one: { id: string }) => one.id)).toContain(made.id)
    expect(JSON.stringify(all.json)).not.toContain('scrypt')
    const granted = (await at.ada.ask('GET', `${FILES}/${id}/permissions`)).json.items
    expect(granted.map((one: { id: string }) => one.id)).toEqual(
      expect.arrayContaining([made.id, 'anyoneWithLink']),
    )
  })

  test('are made by who may share, with terms that make sense', async () => {
    const id = await stored('terms.csv')
    const ask = (by: Person, body: object) => by.ask('POST', '/links', { body })
    expect((await ask(at.bo, { file: id })).status).toBe(404)
    await at.ada.ask('POST', `${FILES}/${id}/permissions`, {
      body: { type: 'user', role: 'reader', value: at.bo.email },
    })
    expect((await ask(at.bo, { file: id })).status).toBe(403)
    for (const wrong of [
      {},
      { file: id, password: 'short' },
      { file: id, mostDownloads: 0 },
      { file: id, mostDownloads: '3' },
      { file: id, expires: 'tomorrow' },
      { file: id, expires: '2001-01-01T00:00:00Z' },
      { file: id, passwrod: PASSWORD },
    ])
      expect([wrong, (await ask(at.ada, wrong)).status]).toEqual([wrong, 400])
    const readOnly = await at.people.token(at.ada.pk, ['drive.readonly'])
    expect((await at.drive.ask('POST', '/links', { token: readOnly, body: { file: id } })).status).toBe(403)
    expect((await guest('POST', '/links', { body: { file: id } })).status).toBe(401)
  })

  test('are named in the record of accesses, also when a clean-up has deleted what was removed', async () => {
    const id = await stored('recorded.csv')
    const { id: link } = await linkTo(id, { password: PASSWORD })
    await content(id, cookieOf(await tried(link, PASSWORD)))
    const { id: kept } = await linkTo(id)
    const { id: last } = await linkTo(id)
    const keyOf = (one: string) => findPrincipalById(at.people.store.read, one)?.pk
    const removed = keyOf(last)
    for (const one of [link, last]) await at.ada.ask('DELETE', `/links/${one}`)
    await printedBy(['drive', 'gc', '--data', at.drive.folder], { cwd: at.drive.folder })
    expect([link, kept, last].map((one) => keyOf(one) !== undefined)).toEqual([false, true, false])
    const { id: next } = await linkTo(id)
    // its key is not reused, although it was the newest
    expect(keyOf(next)).toBeGreaterThan(removed ?? Infinity)
    const { json } = await at.ada.ask('GET', '/drive/admin/v1/accesses', { query: { file: id } })
    expect(json.items).toContainEqual(expect.objectContaining({ action: 'download', user: null, link }))
  })

  test('are made, listed and removed by hla drive', async () => {
    const id = await stored('line.csv')
    const env = { HLA_DRIVE_URL: at.drive.url, HLA_DRIVE_TOKEN: at.ada.token }
    const run = (...words: string[]) => callHla(['drive', ...words], { cwd: at.drive.folder, env })
    writeFileSync(join(at.drive.folder, 'password'), `${PASSWORD}\n`)
    const terms = ['--link', '--password-file', 'password', '--downloads', '2', '--expires', '24h', '--json']
    const made = await run('share', id, ...terms)
    expect([made.status, made.stderr]).toEqual([0, ''])
    const { address, password, most } = JSON.parse(made.stdout) as Record<string, unknown>
    expect([password, most]).toEqual([true, 2])
    const link = String(address).slice(String(address).lastIndexOf('/') + 1)
    expect((await tried(link, PASSWORD)).status).toBe(200)
    expect((await run('link', 'list', '--json')).stdout).toContain(String(address))
    expect((await run('share', id)).stdout).toContain(link)
    const removed = await run('share', id, '--remove', link)
    expect([removed.status, removed.stdout.includes(link)]).toEqual([0, false])
    expect((await run('share', id, '--downloads', '2')).status).toBe(2)
    expect((await run('share', id, '--link', '--with', 'bo@lab.example')).status).toBe(2)
  })
})
