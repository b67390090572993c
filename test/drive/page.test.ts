/** The page of the store in a real browser: all tasks, also by keyboard alone, without requests to other servers. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { command, OPERATOR } from '../../src/drive/domain/commands.ts'
import { digestToken } from '../../src/drive/domain/accounts/tokens.ts'
import { hashPassword } from '../../src/drive/domain/sign-in/passwords.ts'
import { barriersOf, hasChromium, visitPage } from '../support/browser.ts'
import { cuttingProxy } from '../support/cutting-proxy.ts'
import {
  choose,
  DONORS,
  folder,
  leaveDetails,
  make,
  openSharing,
  openTab,
  panel,
  rename,
  row,
  signIn,
  status,
  stored,
  useStorePage,
} from '../support/store-page.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
/** A valid file name that contains markup. */
const MARKUP = '<img src=x onerror="document.title=1">'

describe.skipIf(!hasChromium)('the page of the store', () => {
  const at = useStorePage()
  const { complaints, visit, enter, openFile } = at

  test('is served to everybody, with nothing inline and nothing of others', async () => {
    const answer = await fetch(`${at.drive.url}/`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await fetch(`${at.drive.url}/`, { headers })).status).toBe(304)
    // the icon names the SVG namespace
    const text = (await answer.text()).replace('http://www.w3.org/2000/svg', '')
    expect(text).not.toMatch(/https?:|style=|\son\w+=|<script>/)
  })

  test('is sent in 100 kB', async () => {
    const files = await Promise.all(
      ['', 'page.js', 'page.css', 'drive.css'].map(async (path) => {
        const answer = await fetch(`${at.drive.url}/${path}`)
        await answer.body?.cancel()
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        return Number(answer.headers.get('content-length'))
      }),
    )
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
  })

  test('takes a right token, for as long as the tab is open, and no wrong one', async () => {
    const page = await visit()
    await page.getByLabel('Sign in with a token').fill('hla_wrong')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('unknown or has expired')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
    await signIn(page, at.ada)
    expect(await page.locator('#who').innerText()).toBe('ada@lab.example')
    await page.reload()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(page.url()).not.toContain(at.ada.token)
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Sign in with a token').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('lets somebody in by a password, in every tab, until that somebody signs out', async () => {
    const hash = await hashPassword('correct horse battery')
    await command(at.people.store, 'setPassword', OPERATOR, { email: at.bob.email, hash })
    const page = await visit()
    await page.getByLabel('E-mail address').fill(at.bob.email)
    await page.getByLabel('Password').fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('E-mail address or password is wrong.')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
    expect(await barriersOf(page)).toEqual([])
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.evaluate('document.cookie + JSON.stringify(sessionStorage)')).not.toContain('hla_')
    const other = await page.context().newPage()
    await other.goto(`${at.drive.url}/`)
    await other.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await other.locator('#who').innerText()).toBe(at.bob.email)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await other.reload()
    await other.getByLabel('Password').waitFor()
  })

  test('shows what a link opens to who has no account, and asks who somebody is elsewhere', async () => {
    const place = await folder(at.ada, 'for all')
    const id = await stored(at.ada, 'all.csv', DONORS, { parent: place })
    const page = await visit(`/#folder/${place}`)
    await page.getByLabel('Sign in with a token').waitFor()
    const { json } = await at.ada.ask('POST', `/drive/v2/files/${place}/permissions`, {
      body: { type: 'anyone', role: 'reader', withLink: true },
    })
    await page.reload()
    await page.getByRole('link', { name: 'all.csv' }).click()
    await page.getByRole('heading', { name: 'all.csv' }).waitFor()
    await page.getByRole('cell', { name: 'x, "y"' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('all.csv')
    expect(readFileSync(await file.path(), 'utf8')).toBe(DONORS)
    await at.ada.ask('DELETE', `/drive/v2/files/${place}/permissions/${json.id}`)
    await page.reload()
    await page.getByLabel('Sign in with a token').waitFor()
    expect(await page.locator('#store').isHidden()).toBe(true)
    await signIn(page, at.ada)
    await page.getByRole('heading', { name: 'all.csv' }).waitFor()
    expect((await at.ada.ask('GET', `/drive/v2/files/${id}`)).status).toBe(200)
  })

  test('gives files and folders another name, and to who may not, none', async () => {
    const id = await stored(at.ada, 'donors of May')
    const place = await folder(at.ada, 'year 2025')
    const page = await openFile(at.ada, id)
    await rename(page, 'donors of May', MARKUP)
    await page.getByRole('heading', { name: MARKUP }).waitFor()
    await expect.poll(() => status(page).innerText()).toContain(`donors of May is now called ${MARKUP}.`)
    expect(await barriersOf(page)).toEqual([])
    await page.goto(`${at.drive.url}/#folder/${place}`)
    await page.getByRole('heading', { name: 'year 2025' }).waitFor()
    await rename(page, 'year 2025', 'year 2026')
    await page.getByRole('heading', { name: 'year 2026' }).waitFor()
    const titles = await Promise.all(
      [id, place].map(async (one) => (await at.ada.ask('GET', `/drive/v2/files/${one}`)).json.title),
    )
    expect(titles).toEqual([MARKUP, 'year 2026'])
    await page.goto(`${at.drive.url}/#`)
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.getByRole('button', { name: 'Actions for My Drive' }).count()).toBe(0)
    const body = { type: 'user', role: 'reader', value: 'bob@lab.example' }
    await at.ada.ask('POST', `/drive/v2/files/${id}/permissions`, { body })
    const other = await openFile(at.bob, id)
    await panel(other, 'Preview').waitFor()
    await other.getByRole('button', { name: `Actions for ${MARKUP}` }).click()
    const menu = other.locator('.menu:popover-open').getByRole('button')
    expect(await menu.allInnerTexts()).toEqual([
      'Copy link',
      'Download',
      'Versions',
      'Details',
      'Copy',
      'Star',
    ])
  })

  test('asks for another token when one is over, and shows nothing of its owner to the next', async () => {
    const fay = await at.people.add('fay@lab.example')
    await stored(fay, 'secret.csv')
    const page = await enter(fay)
    await row(page, 'secret.csv').waitFor()
    const digest = digestToken(fay.token)
    await command(at.people.store, 'revokeToken', OPERATOR, { digest })
    const isOver = async () => (await fay.ask('GET', '/drive/v2/about')).status
    await expect.poll(isOver, { timeout: 20_000, interval: 500 }).toBe(401)
    // one request is refused only after the next sign-in
    const held: Route[] = []
    const isStarred = ({ searchParams }: URL) => searchParams.get('q')?.startsWith('starred') === true
    await page.route(isStarred, (route) => void held.push(route))
    await page.getByRole('link', { name: 'Starred' }).click()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('alert').getByText('has expired').waitFor()
    expect(await page.locator('#store').isHidden()).toBe(true)
    expect(held).toHaveLength(1)
    await page.route('**/drive/v2/about?*', async (route) => {
      for (const one of held.splice(0)) {
        const refusal = page.waitForEvent('console', (message) => message.text().includes('401'))
        await one.continue()
        await refusal
      }
      await route.continue()
    })
    await signIn(page, at.bob)
    await expect.poll(() => page.locator('#who').innerText()).toBe('bob@lab.example')
    await page.getByRole('heading', { name: 'Trash' }).waitFor()
    expect(await page.getByText('secret.csv').count()).toBe(0)
    expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true)
  })

  test('goes through folders, there and back, a hundred items at a time, sorted as asked', async () => {
    const cara = await at.people.add('cara@lab.example')
    const inner = await folder(cara, '2026', await folder(cara, 'registry'))
    for (let at = 0; at < 103; at += 1)
      await stored(cara, `donors ${at}.csv`, 'x'.repeat(at), { parent: inner })
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

  /** A table of some MB. */
  const bigTable = () =>
    `ID,A_1,A_2\n${Array.from({ length: 300_000 }, (_, at) => `${at},01:01,02:01\n`).join('')}`

  test('uploads a table over a connection that breaks, and goes on where it broke', async () => {
    const table = bigTable()
    const proxy = await cuttingProxy(at.drive.url, [2.5e6, 1e6], { isLast: true })
    const page = await signIn(await visitPage(at.browser, `${proxy.url}/`, complaints), at.ada)
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
      const [item, ...others] = (await at.ada.ask('GET', '/drive/v2/files', { query: { q } })).json.items
      expect(others).toEqual([])
      expect(item.mimeType).toBe('text/csv')
      const { text } = await at.ada.ask('GET', `/drive/v2/files/${item.id}`, { query: { alt: 'media' } })
      expect(text === body).toBe(true)
      await row(page, name).waitFor()
    }
    // the uploaded bytes are not all sent again
    expect(proxy.passed()).toBeLessThan(table.length * 1.3)
    expect(complaints.splice(0).every((text) => /net::ERR_|Failed to load/.test(text))).toBe(true)
  })

  test('goes on with an upload when the page was loaded again', async () => {
    const file = temp('again.csv')
    writeFileSync(file, bigTable())
    const proxy = await cuttingProxy(at.drive.url, [2.5e6], { isLast: true })
    const page = await signIn(await visitPage(at.browser, `${proxy.url}/`, complaints), at.ada)
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
    const parent = await folder(at.ada, 'twice')
    const id = await stored(at.ada, "Pell's.csv", 'a\nfirst\n', { parent })
    const page = await enter(at.ada, `/#folder/${parent}`)
    const send = (text: string) =>
      page
        .getByLabel('Upload files')
        .setInputFiles({ name: "Pell's.csv", mimeType: 'text/csv', buffer: Buffer.from(text) })
    await send('a\nsecond\n')
    await expect.poll(() => status(page).innerText()).toBe("Pell's.csv is uploaded as a new version.")
    expect(await page.locator('.listing tbody tr').count()).toBe(1)
    const { text } = await at.ada.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect(text).toBe('a\nsecond\n')

    await stored(at.ada, "Pell's.csv", 'a\nanother\n', { parent })
    await send('a\nthird\n')
    await expect.poll(() => status(page).innerText()).toContain('Several files here have this name')
    await page.getByRole('button', { name: "Try again: Pell's.csv" }).waitFor()
  })

  test('stops an upload when told', async () => {
    const proxy = await cuttingProxy(at.drive.url, [1.5e6], { isLast: true })
    const page = await signIn(await visitPage(at.browser, `${proxy.url}/`, complaints), at.ada)
    const buffer = Buffer.from(bigTable())
    await page.getByLabel('Upload files').setInputFiles({ name: 'stop.csv', mimeType: 'text/csv', buffer })
    await page.getByText('Connection lost').waitFor()
    proxy.mend()
    await page.getByRole('button', { name: 'Stop stop.csv' }).click()
    await expect.poll(() => status(page).innerText()).toBe('The upload of stop.csv is stopped.')
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
    // the browser logs the status of a cancelled upload
    await expect.poll(() => complaints.some((text) => text.includes('499'))).toBe(true)
    complaints.length = 0
  })

  test('takes files that are dropped, and makes folders', async () => {
    const page = await enter(at.ada)
    await make(page, 'Folder', 'dropped')
    await page.getByRole('link', { name: 'dropped' }).click()
    await page.getByRole('heading', { name: 'dropped' }).waitFor()
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['a,b'], 'one.csv'))
      data.items.add(new File([''], 'empty.tsv'))
      return data
    })()`)
    await page.locator('#view').dispatchEvent('drop', { dataTransfer: dropped })
    await expect
      .poll(() => page.locator('.listing tbody th').allInnerTexts())
      .toEqual(['empty.tsv', 'one.csv'])
  })

  test('shows the first rows of a table as text, and saves its bytes', async () => {
    const page = await openFile(at.ada, await stored(at.ada, 'preview.csv'))
    const cells = panel(page, 'Preview').locator('td, th')
    await cells.first().waitFor()
    expect(await cells.allTextContents()).toEqual(
      ['ID', 'A_1', 'A_2', 'note', '1', '01:01', '02:01', 'x, "y"', '2', '03:01', '', '<b>bold</b>'], // prettier-ignore
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe('preview.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe(DONORS)
  })

  test('a link to a content ends at the content: signed in there, it is saved, once', async () => {
    const id = await stored(at.ada, 'linked.csv')
    const { webContentLink } = (await at.ada.ask('GET', `/drive/v2/files/${id}`)).json
    const page = await visit(webContentLink.slice(at.drive.url.length))
    const [download] = await Promise.all([page.waitForEvent('download'), signIn(page, at.ada)])
    expect(download.suggestedFilename()).toBe('linked.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe(DONORS)
    await panel(page, 'Preview').getByText('02:01').first().waitFor()
    expect(page.url()).toBe(`${at.drive.url}/#file/${id}`)
    // a signed-in user gets it at once
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`${at.drive.url}/#download/${id}`),
    ])
    expect(again.suggestedFilename()).toBe('linked.csv')
  })

  test('shows names, contents and comments with markup as they are', async () => {
    const id = await stored(at.ada, `${MARKUP}.csv`, `${MARKUP}\n"${MARKUP}"\n`)
    await at.ada.ask('POST', `/drive/v2/files/${id}/comments`, { body: { content: MARKUP } })
    await stored(at.ada, `${MARKUP}.html`, `<script>document.title = 1</script>`)
    const page = await enter(at.ada)
    await page.getByRole('link', { name: `${MARKUP}.csv` }).click()
    await panel(page, 'Preview').getByText(MARKUP).first().waitFor()
    await openTab(page, 'Activity')
    await panel(page, 'Comments').getByText(MARKUP).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).toBe(`${MARKUP}.csv · Files`)
  })

  test('keeps versions, and makes an old one the newest', async () => {
    const id = await stored(at.ada, 'versions.csv', 'a\nfirst\n')
    const page = await openFile(at.ada, id)
    await panel(page, 'Preview').getByText('first').waitFor()
    const buffer = Buffer.from('a\nsecond\n')
    const versions = panel(page, 'Versions')
    await openTab(page, 'Versions')
    await versions.locator('tbody tr').first().waitFor()
    const before = (await versions.locator('tbody tr').count()) + 1
    await page
      .getByLabel('Upload a new version')
      .setInputFiles({ name: 'v2.csv', mimeType: 'text/csv', buffer })
    await panel(page, 'Preview').getByText('second').waitFor()
    // the list is updated after the preview
    await expect.poll(() => versions.locator('tbody tr').count()).toBe(before)
    const first = versions.locator('tbody tr').nth(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      first.getByRole('button', { name: /^Download version/ }).click(),
    ])
    expect(readFileSync(await download.path(), 'utf8')).toBe('a\nfirst\n')
    await first.getByRole('button', { name: /^Restore/ }).click()
    await panel(page, 'Preview').getByText('first').waitFor()
    await expect.poll(() => versions.locator('tbody tr').count()).toBe(before + 1)
    const { text } = await at.ada.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect(text).toBe('a\nfirst\n')
    expect((await at.ada.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('versions.csv')
  })

  test('shares with somebody, who then sees it, and takes it back', async () => {
    const id = await stored(at.ada, 'shared.csv')
    const page = await openFile(at.ada, id)
    const sharing = panel(page, 'Sharing')
    await openSharing(page)
    await sharing.getByLabel('Address').fill('bob@lab.example')
    await sharing.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => status(page).innerText()).toBe('Shared.')

    const other = await enter(at.bob)
    await other.getByRole('link', { name: 'Shared with me' }).click()
    await other.getByRole('link', { name: 'shared.csv' }).click()
    await panel(other, 'Preview').getByText('02:01').waitFor()
    expect(await other.getByLabel('Upload a new version').count()).toBe(0)
    await other.getByText('Only people who can share this').waitFor()

    await sharing.getByLabel(/^Access of .*bob/).selectOption('writer')
    await expect.poll(() => status(page).innerText()).toContain('can edit')
    await other.reload()
    await other.getByRole('button', { name: 'New version' }).waitFor()

    await sharing.getByRole('button', { name: /^Remove .*bob/ }).click()
    await expect.poll(() => sharing.locator('tbody tr').count()).toBe(1)
    await other.reload()
    await expect.poll(() => status(other).innerText()).toContain('not found')
    // a poll for changes may also have failed
    const refused = new Set(complaints.splice(0).map((text) => /\b404\b/.test(text)))
    expect([...refused]).toEqual([true])
  })

  test('shares with anyone with the link', async () => {
    const id = await stored(at.ada, 'link.csv')
    const page = await openFile(at.ada, id)
    await openSharing(page)
    await page.getByLabel('Share with').selectOption('anyone')
    await page.getByLabel('Access', { exact: true }).selectOption('commenter')
    await panel(page, 'Sharing').getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Access of anyone with the link').waitFor()
    // the link shows the file also without a sign-in
    const other = await enter(at.bob)
    await other.goto(`${at.drive.url}/#file/${id}`)
    await other.getByRole('heading', { name: 'link.csv' }).waitFor()
    await openTab(other, 'Activity')
    await expect.poll(() => panel(other, 'Comments').getByLabel('Your comment').count()).toBe(1)
  })

  test('puts into the trash and takes out again', async () => {
    await stored(at.ada, 'rubbish.csv')
    const page = await enter(at.ada)
    await choose(page, 'rubbish.csv', 'Delete')
    await expect.poll(() => status(page).innerText()).toBe('rubbish.csv is in the trash.')
    expect(await row(page, 'rubbish.csv').count()).toBe(0)
    // keyboard users continue from there
    expect(await page.evaluate('document.activeElement.id')).toBe('title')
    await page.getByRole('link', { name: 'Trash' }).click()
    await choose(page, 'rubbish.csv', 'Restore')
    await expect.poll(() => status(page).innerText()).toBe('rubbish.csv is restored.')
    await page.locator('#views').getByRole('link', { name: 'My Drive' }).click()
    await row(page, 'rubbish.csv').waitFor()
  })

  test.for([
    ["pell's", "Pell's list.csv"],
    ['quokka', 'animals.csv'],
  ] as const)('finds %s', async ([words, name]) => {
    await stored(at.ada, name, 'name\nquokka\n')
    const page = await enter(at.ada)
    await page.getByRole('searchbox', { name: 'Search' }).fill(words)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Results for “${words}”` }).waitFor()
    await expect.poll(() => row(page, name).count()).toBe(1)
    await page.getByRole('link', { name: 'Recent' }).click()
    await page.getByRole('heading', { name: 'Recent' }).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
  })

  test('leaves the focus where whoever did not wait for the list has put it', async () => {
    const page = await visit()
    const held: Route[] = []
    await page.route('**/drive/v2/files?*', (route) => void held.push(route))
    await page.getByLabel('Sign in with a token').fill(at.ada.token)
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox', { name: 'Search' }).fill('animals')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('search')
  })

  test('has comments, replies and their end', async () => {
    const id = await stored(at.ada, 'said.csv')
    await at.ada.ask('POST', `/drive/v2/files/${id}/permissions`, {
      body: { type: 'user', role: 'reader', additionalRoles: ['commenter'], value: at.bob.email },
    })
    const page = await openFile(at.bob, id)
    await openTab(page, 'Activity')
    await page.getByLabel('Your comment').fill('Donor 2 has no second A.\nIs that right?')
    await page.getByRole('button', { name: 'Comment' }).click()
    const other = await openFile(at.ada, id)
    await openTab(other, 'Activity')
    await panel(other, 'Comments').getByText('Donor 2 has no second A.').waitFor()
    await other.getByLabel('Your comment').fill('A draft')
    await other.getByLabel(/^Reply to/).fill('It is.')
    await other.getByRole('button', { name: 'Reply' }).click()
    await panel(other, 'Comments').getByText('It is.').waitFor()
    expect(await other.getByLabel(/^Reply to/).inputValue()).toBe('')
    expect(await other.getByLabel('Your comment').inputValue()).toBe('A draft')
    await other.getByRole('button', { name: /^Resolve/ }).click()
    await other.getByRole('button', { name: /^Reopen/ }).waitFor()
    const { json } = await at.bob.ask('GET', `/drive/v2/files/${id}/comments`)
    expect(json.items[0].status).toBe('resolved')
    expect(json.items[0].replies.map((reply: { content?: string }) => reply.content)).toContain('It is.')
  })

  test('goes into shared drives', async () => {
    const { json } = await at.ada.ask('POST', '/drive/v2/drives', {
      query: { requestId: 'page-test' },
      body: { name: 'Registry of the region' },
    })
    const page = await enter(at.ada)
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
    const dora = await at.people.add('dora@lab.example')
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
    // what cannot be seen yet cannot be skipped to
    await page.locator('#token').waitFor()
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
    await tabTo('New version')
    await page.keyboard.press('Enter')
    await panel(page, 'Preview').getByText('by keys').waitFor()
    await tabTo('share')
    await page.keyboard.press('Enter')
    await page.locator('#share-value').waitFor()
    await tabTo('share-value')
    await page.keyboard.type('bob@lab.example')
    await page.keyboard.press('Enter')
    await expect.poll(() => status(page).innerText()).toBe('Shared.')
    const { json } = await at.bob.ask('GET', `/drive/v2/files/${id}`)
    expect(json.title).toBe('keys.csv')
  })

  test('marks the cells of a table that are no typings, and says why', async () => {
    const text = 'ID,A_1,A_2\n1,01:01,02:01\n2,A**1,24:02\n'
    const id = await stored(at.ada, 'typings.csv', text)
    const page = await openFile(at.ada, id)
    const preview = panel(page, 'Preview')
    await preview.getByText('4 typings by the starter set of 3.58.0: 1 not valid.').waitFor()
    const cell = preview.locator('td.invalid')
    expect(await cell.count()).toBe(1)
    expect(await cell.innerText()).toContain('not valid: ')
    expect(await cell.getAttribute('title')).toBe('a name has only one "*"')
    expect(await preview.locator('.wrong li').allInnerTexts()).toEqual([
      'Row 2, A_1, A**1: a name has only one "*"',
    ])
    expect(await barriersOf(page)).toEqual([])
    await page.goto(`${at.drive.url}/#file/${await stored(at.ada, 'plain.csv', 'name,city\nAda,London\n')}`)
    await preview.getByText('London').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.wrong, td.invalid, td.undecided').count()).toBe(0)
  })

  describe.for(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test('has no barriers that a program finds', async () => {
      const page = await visit('/', { colorScheme })
      await page.getByRole('heading', { name: 'Sign in to' }).waitFor()
      expect(await barriersOf(page)).toEqual([])
      await signIn(page, at.ada)
      await page.getByRole('heading', { name: 'My Drive' }).waitFor()
      const buffer = Buffer.from(DONORS)
      const name = `${colorScheme}.csv`
      await page.getByLabel('Upload files').setInputFiles({ name, mimeType: 'text/csv', buffer })
      await row(page, name).waitFor()
      expect(await barriersOf(page)).toEqual([])
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name }).waitFor()
      await showAll(page)
      expect(await barriersOf(page)).toEqual([])
      await leaveDetails(page)
      await page.getByRole('link', { name: 'Trash' }).click()
      await page.getByRole('heading', { name: 'Trash' }).waitFor()
      expect(await barriersOf(page)).toEqual([])
    })
  })

  /** Shows every tab of a file and its sharing, filled, and looks for barriers in each. */
  async function showAll(page: Page): Promise<void> {
    await openTab(page, 'Versions')
    await panel(page, 'Versions').locator('tbody tr').first().waitFor()
    expect(await barriersOf(page)).toEqual([])
    await openSharing(page)
    await panel(page, 'Sharing').getByLabel('Address', { exact: true }).fill('bob@lab.example')
    await panel(page, 'Sharing').getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: /^Remove/ }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await openTab(page, 'Activity')
    await page.getByLabel('Your comment').fill('Typed twice, with the same result.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('button', { name: /^Resolve/ }).waitFor()
    await page.getByLabel(/^Reply to/).fill('Thank you.')
    await page.getByRole('button', { name: 'Reply' }).click()
    await panel(page, 'Comments').getByText('Thank you.').waitFor()
  }

  test('keeps the heads of a table above its columns in a narrow window', async () => {
    const page = await openFile(at.ada, await stored(at.ada, 'narrow.csv'), {
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
    const page = await openFile(at.ada, await stored(at.ada, 'unknown.csv'))
    const sharing = panel(page, 'Sharing')
    await openSharing(page)
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
    const id = await stored(at.ada, `${'a-name-without-end-'.repeat(8)}.csv`)
    const page = await openFile(at.ada, id, { viewport: { width: 320, height: 700 } })
    await showAll(page)
    const width = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await width()).toBeLessThanOrEqual(320)
    await leaveDetails(page)
    await page.locator('#views').getByRole('link', { name: 'My Drive' }).click()
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await width()).toBeLessThanOrEqual(320)
  })
})
