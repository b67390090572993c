/** The page of the store in a real browser: what people do with it, by keyboard alone, and that it asks nobody else. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { digestToken } from '../../src/drive/domain/accounts/tokens.ts'
import { barriersOf, hasChromium, openBrowser, visitPage } from '../support/browser.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import { type Drive, startDrive } from '../support/drive.ts'
import { type People, peopleOf, type Person } from '../support/people.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const DONORS = 'ID,A_1,A_2,note\n1,01:01,02:01,"x, ""y"""\n2,03:01,,<b>bold</b>\n'
/** Refused by nobody who writes a name, and markup to nobody who reads it. */
const MARKUP = '<img src=x onerror="document.title=1">'

describe.skipIf(!hasChromium)('the page of the store', () => {
  let browser: Browser
  let drive: Drive
  let people: People
  let ada: Person
  let bob: Person
  /** What a page does that it should not. */
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    drive = await startDrive()
    people = await peopleOf(drive)
  })
  afterAll(async () => {
    await people.store.close()
    await drive.stop()
    await browser.close()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
  })

  beforeAll(async () => {
    ada = await people.add('ada@lab.example')
    bob = await people.add('bob@lab.example')
  })

  const visit = (path = '/', options?: BrowserContextOptions) =>
    visitPage(browser, `${drive.url}${path}`, complaints, options)

  async function signIn(page: Page, { token }: Person): Promise<Page> {
    await page.getByLabel('Sign in with a token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'My files' }).waitFor()
    return page
  }

  const enter = async (who: Person, path?: string, options?: BrowserContextOptions) =>
    signIn(await visit(path, options), who)

  const row = (page: Page, name: string) => page.locator('.listing tbody tr', { hasText: name })
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const status = (page: Page) => page.getByRole('status')

  /** A file that is there already. */
  async function stored(who: Person, title: string, body = DONORS, parent = 'root'): Promise<string> {
    const { json } = await who.ask('POST', '/drive/v2/files', {
      body: { title, mimeType: 'text/csv', parents: [{ id: parent }] },
    })
    const headers = { 'content-type': 'text/csv' }
    await who.ask('PUT', `/upload/drive/v2/files/${json.id}`, { body, headers })
    return json.id
  }

  async function folder(who: Person, title: string, parent = 'root'): Promise<string> {
    const body = { title, mimeType: 'application/vnd.google-apps.folder', parents: [{ id: parent }] }
    return (await who.ask('POST', '/drive/v2/files', { body })).json.id
  }

  const openFile = async (who: Person, id: string, options?: BrowserContextOptions) =>
    enter(who, `/#file/${id}`, options)

  test('is served to everybody, with nothing inline and nothing of others', async () => {
    const answer = await fetch(`${drive.url}/`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await fetch(`${drive.url}/`, { headers })).status).toBe(304)
    expect(await answer.text()).not.toMatch(/https?:|style=|\son\w+=|<script>/)
  })

  test('takes a right token, for as long as the tab is open, and no wrong one', async () => {
    const page = await visit()
    await page.getByLabel('Sign in with a token').fill('hla_wrong')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('unknown or has expired')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
    await signIn(page, ada)
    expect(await page.locator('#who').innerText()).toBe('ada@lab.example')
    await page.reload()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(page.url()).not.toContain(ada.token)
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Sign in with a token').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('gives files and folders another name, and to who may not, none', async () => {
    const id = await stored(ada, 'donors of May')
    const place = await folder(ada, 'year 2025')
    const page = await openFile(ada, id)
    await page.getByLabel('Name', { exact: true }).fill(MARKUP)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: MARKUP }).waitFor()
    await expect.poll(() => status(page).innerText()).toContain(`donors of May is ${MARKUP} now.`)
    expect(await barriersOf(page)).toEqual([])
    await page.goto(`${drive.url}/#folder/${place}`)
    await page.getByRole('heading', { name: 'year 2025' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('year 2026')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'year 2026' }).waitFor()
    const titles = await Promise.all(
      [id, place].map(async (one) => (await ada.ask('GET', `/drive/v2/files/${one}`)).json.title),
    )
    expect(titles).toEqual([MARKUP, 'year 2026'])
    await page.goto(`${drive.url}/#`)
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
    const body = { type: 'user', role: 'reader', value: 'bob@lab.example' }
    await ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body })
    const other = await openFile(bob, id)
    await panel(other, 'Preview').waitFor()
    expect(await other.getByRole('button', { name: 'Rename' }).count()).toBe(0)
  })

  test('asks for another token when one is over, and shows nothing of its owner to the next', async () => {
    const fay = await people.add('fay@lab.example')
    await stored(fay, 'secret.csv')
    const page = await enter(fay)
    await row(page, 'secret.csv').waitFor()
    const digest = digestToken(fay.token)
    await command(people.store, 'revokeToken', OPERATOR, { digest })
    const isOver = async () => (await fay.ask('GET', '/drive/v2/about')).status
    await expect.poll(isOver, { timeout: 20_000, interval: 500 }).toBe(401)
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('alert').getByText('has expired').waitFor()
    expect(await page.locator('#store').isHidden()).toBe(true)
    await signIn(page, bob)
    await expect.poll(() => page.locator('#who').innerText()).toBe('bob@lab.example')
    await page.getByRole('heading', { name: 'Trash' }).waitFor()
    expect(await page.getByText('secret.csv').count()).toBe(0)
    expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true)
  })

  test('goes through folders, there and back, a hundred items at a time, sorted as asked', async () => {
    const cara = await people.add('cara@lab.example')
    const inner = await folder(cara, '2026', await folder(cara, 'registry'))
    for (let at = 0; at < 103; at += 1) await stored(cara, `donors ${at}.csv`, 'x'.repeat(at), inner)
    const page = await enter(cara)
    await page.getByRole('link', { name: 'registry' }).click()
    await page.getByRole('link', { name: '2026' }).click()
    await page.getByRole('heading', { name: '2026' }).waitFor()
    const names = () => page.locator('.listing tbody th a').allInnerTexts()
    expect((await names()).slice(0, 3)).toEqual(['donors 0.csv', 'donors 1.csv', 'donors 2.csv'])
    expect(await names()).toHaveLength(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(names).toHaveLength(103)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('donors 100.csv')
    await page.getByRole('button', { name: 'Size' }).click()
    await page.getByRole('button', { name: 'Size' }).click()
    await expect.poll(async () => (await names())[0]).toBe('donors 102.csv')
    expect(await page.locator('[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    expect(await page.locator('#above').innerText()).toMatch(/My Drive[\s/]+registry/)
    await page.locator('#above').getByRole('link', { name: 'registry' }).click()
    await page.getByRole('heading', { name: 'registry' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: '2026' }).waitFor()
  })

  /** Some MB of it. */
  const bigTable = () =>
    `ID,A_1,A_2\n${Array.from({ length: 300_000 }, (_, at) => `${at},01:01,02:01\n`).join('')}`

  test('uploads a table over a connection that breaks, and goes on where it broke', async () => {
    const table = bigTable()
    const proxy = await cuttingProxy(drive.url, [2.5e6, 1e6], { isLast: true })
    const page = await signIn(await visitPage(browser, `${proxy.url}/`, complaints), ada)
    await page.getByLabel('Upload files').setInputFiles([
      { name: 'big.csv', mimeType: 'text/csv', buffer: Buffer.from(table) },
      { name: 'small.csv', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(DONORS) },
    ])
    await page.getByText('Connection lost').waitFor()
    await expect.poll(() => proxy.cuts()).toBe(2)
    proxy.mend()
    await expect.poll(() => status(page).innerText(), { timeout: 60_000 }).toBe('small.csv is uploaded.')
    for (const [name, body] of [
      ['big.csv', table],
      ['small.csv', DONORS],
    ] as const) {
      const q = `title = '${name}'`
      const [item, ...others] = (await ada.ask('GET', '/drive/v2/files', { query: { q } })).json.items
      expect(others).toEqual([])
      expect(item.mimeType).toBe('text/csv')
      const { text } = await ada.ask('GET', `/drive/v2/files/${item.id}`, { query: { alt: 'media' } })
      expect(text === body).toBe(true)
      await row(page, name).waitFor()
    }
    // not all of it again
    expect(proxy.passed()).toBeLessThan(table.length * 1.3)
    expect(complaints.splice(0).every((text) => /net::ERR_|Failed to load/.test(text))).toBe(true)
  })

  test('goes on with an upload when the page was loaded again', async () => {
    const file = temp('again.csv')
    writeFileSync(file, bigTable())
    const proxy = await cuttingProxy(drive.url, [2.5e6], { isLast: true })
    const page = await signIn(await visitPage(browser, `${proxy.url}/`, complaints), ada)
    await page.getByLabel('Upload files').setInputFiles(file)
    await page.getByText('Connection lost').waitFor()
    proxy.mend()
    await page.reload()
    await page.getByLabel('Upload files').setInputFiles(file)
    await expect.poll(() => status(page).innerText(), { timeout: 60_000 }).toBe('again.csv is uploaded.')
    expect(proxy.passed()).toBeLessThan(bigTable().length * 1.3)
    expect(complaints.splice(0).every((text) => /net::ERR_|Failed to load/.test(text))).toBe(true)
  })

  test('makes a new version of the file that has the name', async () => {
    const parent = await folder(ada, 'twice')
    const id = await stored(ada, "Pell's.csv", 'a\nfirst\n', parent)
    const page = await enter(ada, `/#folder/${parent}`)
    const send = (text: string) =>
      page
        .getByLabel('Upload files')
        .setInputFiles({ name: "Pell's.csv", mimeType: 'text/csv', buffer: Buffer.from(text) })
    await send('a\nsecond\n')
    await page.getByText('Uploaded as a new version.').waitFor()
    expect(await page.locator('.listing tbody tr').count()).toBe(1)
    const { text } = await ada.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect(text).toBe('a\nsecond\n')

    await stored(ada, "Pell's.csv", 'a\nanother\n', parent)
    await send('a\nthird\n')
    await expect.poll(() => status(page).innerText()).toContain('Several files here have this name')
    await page.getByRole('button', { name: "Try again: Pell's.csv" }).waitFor()
  })

  test('stops an upload when told', async () => {
    const proxy = await cuttingProxy(drive.url, [1.5e6], { isLast: true })
    const page = await signIn(await visitPage(browser, `${proxy.url}/`, complaints), ada)
    const buffer = Buffer.from(bigTable())
    await page.getByLabel('Upload files').setInputFiles({ name: 'stop.csv', mimeType: 'text/csv', buffer })
    await page.getByText('Connection lost').waitFor()
    proxy.mend()
    await page.getByRole('button', { name: 'Stop stop.csv' }).click()
    await page.getByText('Stopped.').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
    // what the service answers when an upload is given up, of which the browser tells its console
    await expect.poll(() => complaints.some((text) => text.includes('499'))).toBe(true)
    complaints.length = 0
  })

  test('takes files that are dropped, and makes folders', async () => {
    const page = await enter(ada)
    await page.getByLabel('New folder').fill('dropped')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'dropped' }).click()
    await page.getByRole('heading', { name: 'dropped' }).waitFor()
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['a,b'], 'one.csv'))
      data.items.add(new File([''], 'empty.tsv'))
      return data
    })()`)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
    await expect
      .poll(() => page.locator('.listing tbody th').allInnerTexts())
      .toEqual(['empty.tsv', 'one.csv'])
  })

  test('shows the first rows of a table as text, and saves its bytes', async () => {
    const page = await openFile(ada, await stored(ada, 'preview.csv'))
    const cells = panel(page, 'Preview').locator('td, th')
    await cells.first().waitFor()
    expect(await cells.allTextContents()).toEqual(
      ['ID', 'A_1', 'A_2', 'note', '1', '01:01', '02:01', 'x, "y"', '2', '03:01', '', '<b>bold</b>'], // prettier-ignore
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save to disk' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('preview.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe(DONORS)
  })

  test('a link to a content ends at the content: signed in there, it is saved, once', async () => {
    const id = await stored(ada, 'linked.csv')
    const { webContentLink } = (await ada.ask('GET', `/drive/v2/files/${id}`)).json
    const page = await visit(webContentLink.slice(drive.url.length))
    const [download] = await Promise.all([page.waitForEvent('download'), signIn(page, ada)])
    expect(download.suggestedFilename()).toBe('linked.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe(DONORS)
    await panel(page, 'Preview').getByText('02:01').first().waitFor()
    expect(page.url()).toBe(`${drive.url}/#file/${id}`)
    // who is signed in gets it at once
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`${drive.url}/#download/${id}`),
    ])
    expect(again.suggestedFilename()).toBe('linked.csv')
  })

  test('shows names, contents and comments with markup as they are', async () => {
    const id = await stored(ada, `${MARKUP}.csv`, `${MARKUP}\n"${MARKUP}"\n`)
    await ada.ask('POST', `/drive/v2/files/${id}/comments`, { body: { content: MARKUP } })
    await stored(ada, `${MARKUP}.html`, `<script>document.title = 1</script>`)
    const page = await enter(ada)
    await page.getByRole('link', { name: `${MARKUP}.csv` }).click()
    await panel(page, 'Preview').getByText(MARKUP).first().waitFor()
    await panel(page, 'Comments').getByText(MARKUP).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).toBe(`${MARKUP}.csv · Files`)
  })

  test('keeps versions, and makes an old one the newest', async () => {
    const id = await stored(ada, 'versions.csv', 'a\nfirst\n')
    const page = await openFile(ada, id)
    await panel(page, 'Preview').getByText('first').waitFor()
    const buffer = Buffer.from('a\nsecond\n')
    await page
      .getByLabel('Upload a new version')
      .setInputFiles({ name: 'v2.csv', mimeType: 'text/csv', buffer })
    await panel(page, 'Preview').getByText('second').waitFor()
    const versions = panel(page, 'Versions')
    const before = await versions.locator('tbody tr').count()
    const first = versions.locator('tbody tr').nth(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      first.getByRole('button', { name: /^Save/ }).click(),
    ])
    expect(readFileSync(await download.path(), 'utf8')).toBe('a\nfirst\n')
    await first.getByRole('button', { name: /^Restore/ }).click()
    await panel(page, 'Preview').getByText('first').waitFor()
    await expect.poll(() => versions.locator('tbody tr').count()).toBe(before + 1)
    const { text } = await ada.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect(text).toBe('a\nfirst\n')
    expect((await ada.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('versions.csv')
  })

  test('shares with somebody, who then sees it, and takes it back', async () => {
    const id = await stored(ada, 'shared.csv')
    const page = await openFile(ada, id)
    const sharing = panel(page, 'Sharing')
    await sharing.getByLabel('Address').fill('bob@lab.example')
    await sharing.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => status(page).innerText()).toBe('Shared.')

    const other = await enter(bob)
    await other.getByRole('link', { name: 'Shared with me' }).click()
    await other.getByRole('link', { name: 'shared.csv' }).click()
    await panel(other, 'Preview').getByText('02:01').waitFor()
    expect(await other.getByLabel('Upload a new version').count()).toBe(0)
    await other.getByText('Only people who can share this').waitFor()

    await sharing.getByLabel(/^Access of .*bob/).selectOption('writer')
    await expect.poll(() => status(page).innerText()).toContain('can edit')
    await other.reload()
    await other.getByLabel('Upload a new version').waitFor()

    await sharing.getByRole('button', { name: /^Remove .*bob/ }).click()
    await expect.poll(() => sharing.locator('tbody tr').count()).toBe(1)
    await other.reload()
    await expect.poll(() => status(other).innerText()).toContain('not found')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
  })

  test('shares with anyone with the link', async () => {
    const id = await stored(ada, 'link.csv')
    const page = await openFile(ada, id)
    await page.getByLabel('Share with').selectOption('anyone')
    await page.getByLabel('Access', { exact: true }).selectOption('commenter')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Access of anyone with the link').waitFor()
    const other = await openFile(bob, id)
    await expect.poll(() => panel(other, 'Comments').getByLabel('Your comment').count()).toBe(1)
  })

  test('puts into the trash and takes out again', async () => {
    await stored(ada, 'rubbish.csv')
    const page = await enter(ada)
    await page.getByRole('button', { name: 'Move to trash: rubbish.csv' }).click()
    await expect.poll(() => status(page).innerText()).toBe('rubbish.csv is in the trash.')
    expect(await row(page, 'rubbish.csv').count()).toBe(0)
    // whoever has no mouse goes on from there
    expect(await page.evaluate('document.activeElement.id')).toBe('title')
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore rubbish.csv' }).click()
    await expect.poll(() => status(page).innerText()).toBe('rubbish.csv is restored.')
    await page.getByRole('link', { name: 'My files' }).click()
    await row(page, 'rubbish.csv').waitFor()
  })

  test.for([
    ["pell's", "Pell's list.csv"],
    ['quokka', 'animals.csv'],
  ] as const)('finds %s', async ([words, name]) => {
    await stored(ada, name, 'name\nquokka\n')
    const page = await enter(ada)
    await page.getByRole('searchbox', { name: 'Search' }).fill(words)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Found for “${words}”` }).waitFor()
    await expect.poll(() => row(page, name).count()).toBe(1)
  })

  test('leaves the focus where whoever did not wait for the list has put it', async () => {
    const page = await visit()
    const held: Route[] = []
    await page.route('**/drive/v2/files?*', (route) => void held.push(route))
    await page.getByLabel('Sign in with a token').fill(ada.token)
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Search' }).fill('animals')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('search')
  })

  test('has comments, replies and their end', async () => {
    const id = await stored(ada, 'said.csv')
    await ada.ask('POST', `/drive/v2/files/${id}/permissions`, {
      body: { type: 'user', role: 'reader', additionalRoles: ['commenter'], value: bob.email },
    })
    const page = await openFile(bob, id)
    await page.getByLabel('Your comment').fill('Donor 2 has no second A.\nIs that right?')
    await page.getByRole('button', { name: 'Comment' }).click()
    const other = await openFile(ada, id)
    await other.getByText('Donor 2 has no second A.').waitFor()
    await other.getByLabel('Your comment').fill('A draft')
    await other.getByLabel(/^Reply to/).fill('It is.')
    await other.getByRole('button', { name: 'Reply' }).click()
    await other.getByText('It is.').waitFor()
    expect(await other.getByLabel(/^Reply to/).inputValue()).toBe('')
    expect(await other.getByLabel('Your comment').inputValue()).toBe('A draft')
    await other.getByRole('button', { name: /^Resolve/ }).click()
    await other.getByRole('button', { name: /^Reopen/ }).waitFor()
    const { json } = await bob.ask('GET', `/drive/v2/files/${id}/comments`)
    expect(json.items[0].status).toBe('resolved')
    expect(json.items[0].replies.map((reply: { content?: string }) => reply.content)).toContain('It is.')
  })

  test('goes into shared drives', async () => {
    const { json } = await ada.ask('POST', '/drive/v2/drives', {
      query: { requestId: 'page-test' },
      body: { name: 'Registry of the region' },
    })
    const page = await enter(ada)
    await page.getByRole('link', { name: json.name }).click()
    await page.getByRole('heading', { name: json.name }).waitFor()
    const buffer = Buffer.from(DONORS)
    await page.getByLabel('Upload files').setInputFiles({ name: 'of all.csv', mimeType: 'text/csv', buffer })
    await row(page, 'of all.csv').waitFor()
    await page.getByRole('link', { name: 'of all.csv' }).click()
    await panel(page, 'Preview').getByText('02:01').waitFor()
    expect(await page.locator('#above').innerText()).toContain(json.name)
  })

  test('is used without a mouse', async () => {
    const dora = await people.add('dora@lab.example')
    const id = await stored(dora, 'keys.csv')
    const file = temp('keys-2.csv')
    writeFileSync(file, 'a\nby keys\n')
    const page = await visit()
    page.on('filechooser', (chooser) => void chooser.setFiles(file))
    const focused = () =>
      page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')
    const tabTo = async (wanted: string) => {
      for (let presses = 0; (await focused()) !== wanted; presses += 1) {
        if (presses > 60) throw new Error(`no ${wanted} by Tab`)
        await page.keyboard.press('Tab')
      }
    }
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('skip')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('token')
    await page.keyboard.type(dora.token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    await expect.poll(focused).toBe('title')
    await tabTo('keys.csv')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'keys.csv' }).waitFor()
    await expect.poll(focused).toBe('title')
    await tabTo('upload')
    await page.keyboard.press('Enter')
    await panel(page, 'Preview').getByText('by keys').waitFor()
    await page.getByLabel('Your comment').waitFor()
    await tabTo('share-value')
    await page.keyboard.type('bob@lab.example')
    await page.keyboard.press('Enter')
    await expect.poll(() => status(page).innerText()).toBe('Shared.')
    const { json } = await bob.ask('GET', `/drive/v2/files/${id}`)
    expect(json.title).toBe('keys.csv')
  })

  describe.for(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test('has no barriers that a program finds', async () => {
      const page = await visit('/', { colorScheme })
      expect(await barriersOf(page)).toEqual([])
      await signIn(page, ada)
      await page.getByRole('heading', { name: 'My Drive' }).waitFor()
      const buffer = Buffer.from(DONORS)
      const name = `${colorScheme}.csv`
      await page.getByLabel('Upload files').setInputFiles({ name, mimeType: 'text/csv', buffer })
      await row(page, name).waitFor()
      expect(await barriersOf(page)).toEqual([])
      await page.getByRole('link', { name }).click()
      await showAll(page)
      expect(await barriersOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Trash' }).click()
      await page.getByRole('heading', { name: 'Trash' }).waitFor()
      expect(await barriersOf(page)).toEqual([])
    })
  })

  /** A file with everything it can have. */
  async function showAll(page: Page): Promise<void> {
    await panel(page, 'Versions').locator('tbody tr').first().waitFor()
    await page.getByLabel('Address').fill('bob@lab.example')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: /^Remove/ }).waitFor()
    await page.getByLabel('Your comment').fill('Typed twice, with the same result.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('button', { name: /^Resolve/ }).waitFor()
    await page.getByLabel(/^Reply to/).fill('Thank you.')
    await page.getByRole('button', { name: 'Reply' }).click()
    await page.getByText('Thank you.').waitFor()
  }

  test('keeps the heads of a table above its columns in a narrow window', async () => {
    const page = await openFile(ada, await stored(ada, 'narrow.csv'), {
      viewport: { width: 390, height: 800 },
    })
    const table = panel(page, 'Preview').locator('table')
    const placeOf = async (text: string) => {
      const box = await table.getByText(text, { exact: true }).first().boundingBox()
      return box ?? { x: -1, y: -1 }
    }
    await table.waitFor()
    const [head, cell] = [await placeOf('A_2'), await placeOf('02:01')]
    expect({ isInSight: head.x >= 0, isAbove: head.y < cell.y, x: head.x }).toEqual({
      isInSight: true,
      isAbove: true,
      x: cell.x,
    })
  })

  test('says when an address that something is shared with has no account', async () => {
    const page = await openFile(ada, await stored(ada, 'unknown.csv'))
    const sharing = panel(page, 'Sharing')
    await sharing.getByLabel('Address').fill('bbo@lab.example')
    await sharing.getByRole('button', { name: 'Share' }).click()
    await expect
      .poll(() => status(page).innerText())
      .toBe(
        'Shared with bbo@lab.example, who has no account here yet: they can open it once the address has one.',
      )
    await sharing.getByText('bbo@lab.example (no account yet)').waitFor()
  })

  test('fits a narrow window', async () => {
    const id = await stored(ada, `${'a-name-without-end-'.repeat(8)}.csv`)
    const page = await openFile(ada, id, { viewport: { width: 320, height: 700 } })
    await showAll(page)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await width()).toBeLessThanOrEqual(320)
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await width()).toBeLessThanOrEqual(320)
  })

  // HLA_UPDATE_SCREENSHOT=1 makes docs/drive-page.png anew
  test.runIf(process.env['HLA_UPDATE_SCREENSHOT'])('has its picture taken', async () => {
    const eve = await people.add('eve@lab.example')
    const names = ['A_1', 'A_2', 'B_1', 'B_2', 'DRB1_1', 'DRB1_2']
    const typings = [
      ['01:01', '02:AB', '07:02', '08:01', '15:01', '03:01'],
      ['25:01', '03:01', '44:02', '', '04:01', '13:02'],
      ['24:02', '24:02', '35:01', '51:01', '11:04', '07:01'],
    ]
    const rows = [['ID', ...names], ...typings.map((row, at) => [`${1001 + at}`, ...row])]
    const table = rows.map((row) => `${row.join(',')}\n`).join('')
    const id = await stored(eve, 'donors.csv', table, await folder(eve, 'registry'))
    const page = await openFile(eve, id, { viewport: { width: 960, height: 820 } })
    await showAll(page)
    await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    const path = join(import.meta.dirname, '../../docs/drive-page.png')
    expect(await page.screenshot({ path })).toBeDefined()
  })
})
