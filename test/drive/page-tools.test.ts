/**
 * File management in the page of the store: first screen, toolbar, details, thumbnails, on a desktop and on a phone.
 */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriersOf, hasChromium } from '../support/browser.ts'
import {
  choose,
  DONORS,
  folder,
  openTab,
  panel,
  row,
  signIn,
  status,
  stored,
  useStorePage,
} from '../support/store-page.ts'

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PASSWORD = 'correct horse battery'
const SCREENS = [
  ['desk', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const

async function boxOf(what: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const { x, y, width, height } = (await what.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
  return { left: x, right: x + width, top: y, bottom: y + height }
}

const menu = (page: Page) => page.locator('.menu:popover-open').getByRole('button')
const scrollTo = (page: Page, top: number) => page.evaluate(`scrollTo({ top: ${top}, behavior: 'instant' })`)

describe.skipIf(!hasChromium)('the page of the store as a file manager', () => {
  const at = useStorePage()

  test('leads from the first start to accounts, and names the store', async () => {
    const page = await at.visit()
    const { host } = new URL(at.drive.url)
    await page.getByRole('heading', { name: `Sign in to ${host}` }).waitFor()
    await page.getByText('This store is new: no account has a password yet.').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await signIn(page, { ...at.ada, token: at.drive.token })
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
    await page.getByText('Add one for yourself, as administrator and with a password').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Add user' }).click()
    const form = page.getByRole('dialog', { name: 'New user' })
    await form.getByLabel('E-mail address').fill('eve@lab.example')
    await form.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect.poll(() => status(page).innerText()).toBe('eve@lab.example is a user now.')
    await page.getByText('Add one for yourself').waitFor({ state: 'detached' })
    const found = page.locator('#view table')
    for (const [prefix, count] of [
      ['eve@', '1 user'],
      ['nobody@', 'No users.'],
      ['', '4 users'],
    ] as const) {
      await page.getByLabel('Address begins with').fill(prefix)
      await page.getByLabel('Address begins with').press('Enter')
      await page.locator('#view').getByText(count, { exact: true }).waitFor()
      expect(await found.count()).toBe(count === 'No users.' ? 0 : 1)
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: `Sign in to ${host}` }).waitFor()
    expect((await at.drive.ask('GET', '/sign-in')).json).toEqual({})
    await page.getByLabel('E-mail address').fill('eve@lab.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My Drive' }).waitFor()
    expect(await page.locator('#sign-in').isHidden()).toBe(true)
  })

  describe.for(SCREENS)('on a %s', ([device, viewport]) => {
    test('has one row of tools, which work by keyboard', async () => {
      const who = await at.people.add(`tools-${device}@lab.example`)
      const page = await at.enter(who, '/', { viewport })
      await page.getByText('This folder is empty.').waitFor()
      const tools = await page.locator('#tools button.opener, #search').all()
      const boxes = await Promise.all(tools.map(boxOf))
      const middles = boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2))
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(2)
      expect(boxes.every(({ left, right }, n) => left >= 0 && right <= (boxes[n + 1]?.left ?? viewport.width))).toBe(true)
      await page.getByRole('button', { name: 'New', exact: true }).press('Enter')
      expect(await menu(page).allInnerTexts()).toEqual(['Folder', 'Rule'])
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').fill('made')
      await page.keyboard.press('Enter')
      await row(page, 'made').waitFor()
      // closing the dialog restores the focus
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // wait for the event first: the browser must intercept the file chooser
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).press('Enter')
      expect(await menu(page).allInnerTexts()).toEqual(['Files', 'Folder'])
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Files')
      await page.keyboard.press('Enter')
      const chooser = await choosing
      expect(chooser.isMultiple()).toBe(true)
      await chooser.setFiles({ name: 'chosen.csv', mimeType: 'text/csv', buffer: Buffer.from(DONORS) })
      await row(page, 'chosen.csv').waitFor()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await menu(page).filter({ hasText: 'Rule' }).click()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tab-rules')
      expect(await barriersOf(page)).toEqual([])
    }) // prettier-ignore

    test('shows the details of the chosen file', async () => {
      const who = await at.people.add(`details-${device}@lab.example`)
      for (const name of ['one.csv', 'two.csv']) await stored(who, name)
      const page = await at.enter(who, '/', { viewport })
      const details = page.locator('#details')
      await choose(page, 'one.csv', 'Versions')
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tab-versions')
      await details.getByText('one.csv', { exact: true }).waitFor()
      await page.keyboard.press('ArrowRight')
      await panel(page, 'Activity').locator('li').first().waitFor()
      expect(await barriersOf(page)).toEqual([])
      expect(await page.locator('#details:modal').count()).toBe(device === 'phone' ? 1 : 0)
      if (device === 'desk') {
        // beside the list, which stays usable: choose another file
        expect((await boxOf(page.locator('.listing'))).right).toBeLessThanOrEqual((await boxOf(details)).left)
        await page.getByLabel('Select two.csv').check()
        await details.getByText('two.csv', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Close details' }).click()
      } else {
        // messages appear in front of the page, too
        await page.getByRole('tab', { name: 'Sharing' }).click()
        await page.getByRole('button', { name: 'Change access' }).click()
        await panel(page, 'Sharing').getByLabel('Address').fill(at.bob.email)
        await panel(page, 'Sharing').getByRole('button', { name: 'Share', exact: true }).click()
        await page.locator('dialog.sharing').getByRole('status').getByText('Shared.').waitFor()
        await page.keyboard.press('Escape')
        await details.getByText('bob@lab.example').waitFor()
        await page.keyboard.press('Escape')
      }
      await details.waitFor({ state: 'hidden' })
      await expect.poll(() => page.locator('#bar #status').count()).toBe(1)
      await page.getByRole('link', { name: 'one.csv' }).click()
      await page.getByRole('heading', { name: 'one.csv' }).waitFor()
      await openTab(page, 'Versions')
      await panel(page, 'Versions').locator('tbody tr').first().waitFor()
      expect(await page.getByRole('button', { name: 'Details', exact: true, includeHidden: true }).getAttribute('aria-expanded')).toBe('true')
    }) // prettier-ignore

    test('covers nothing by messages and uploads', async () => {
      const who = await at.people.add(`covers-${device}@lab.example`)
      const place = await folder(who, 'many')
      for (let n = 0; n < 30; n += 1) await folder(who, `donor ${n}`, place)
      const page = await at.enter(who, `/#folder/${place}`, { viewport })
      await row(page, 'donor 29').waitFor()
      const buffer = Buffer.from(DONORS)
      const files = ['x.csv', 'y.csv', 'z.csv'].map((name) => ({ name, mimeType: 'text/csv', buffer }))
      await page.getByLabel('Upload files').setInputFiles(files)
      await page.getByText('3 uploaded').waitFor()
      await expect.poll(() => page.locator('.listing tbody tr').count()).toBe(33)
      await scrollTo(page, 0)
      expect((await boxOf(status(page))).bottom).toBeLessThanOrEqual(
        (await boxOf(page.locator('#shown'))).top,
      )
      await scrollTo(page, 1e6)
      const last = await boxOf(page.locator('.listing tbody tr').last())
      expect(last.bottom).toBeLessThanOrEqual((await boxOf(page.locator('#uploads'))).top)
      expect(last.top).toBeGreaterThanOrEqual((await boxOf(page.locator('#bar'))).bottom)
      // the message is visible there, too
      expect((await boxOf(status(page))).top).toBeGreaterThanOrEqual(0)
      if (device === 'phone') return
      const details = page.locator('#details')
      await openTab(page, 'Activity')
      await panel(page, 'Activity').locator('li').first().waitFor()
      for (const top of [0, 1e6]) {
        await scrollTo(page, top)
        expect((await boxOf(details)).bottom).toBeLessThanOrEqual((await boxOf(page.locator('#uploads'))).top)
      }
    })
  })

  test('shows small images in the list once they are in sight, and icons for all else', async () => {
    const who = await at.people.add('images@lab.example')
    const place = await folder(who, 'gels')
    for (let n = 0; n < 30; n += 1) await folder(who, `run ${n}`, place)
    const image = { parent: place, type: 'image/png' }
    const gel = await stored(who, 'gel.png', DOT, image)
    await stored(who, 'large.png', Buffer.concat([DOT, Buffer.alloc(1e6)]), image)
    await stored(who, 'torn.png', 'no image', image)
    await stored(who, 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', { ...image, type: 'image/svg+xml' })
    const page = await at.visit(`/#folder/${place}`, { viewport: { width: 1280, height: 700 } })
    const fetched: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('alt=media')) fetched.push(request.url())
    })
    await signIn(page, who)
    await row(page, 'gel.png').waitFor()
    await page.waitForLoadState('networkidle')
    expect(fetched).toEqual([])
    await row(page, 'torn.png').scrollIntoViewIfNeeded()
    const shown = row(page, 'gel.png').locator('img')
    await shown.waitFor()
    expect(await shown.evaluate('document.querySelector(".thumbnail img").naturalWidth')).toBe(1)
    await expect.poll(() => fetched.length).toBe(2)
    await page.waitForLoadState('networkidle')
    for (const name of ['large.png', 'torn.png', 'drawing.svg'])
      expect([await row(page, name).locator('img').count(), await row(page, name).locator('svg.icon').count()]).toEqual([0, 1])
    expect(await barriersOf(page)).toEqual([])
    // the list is loaded again, and the image is not
    await page.getByRole('button', { name: /^Name/ }).click()
    await expect.poll(() => status(page).innerText()).toContain('Sorted by name')
    await row(page, 'gel.png').scrollIntoViewIfNeeded()
    await row(page, 'gel.png').locator('img').waitFor()
    expect(fetched.filter((url) => url === fetched[0])).toHaveLength(1)
    const { json } = await who.ask('GET', '/drive/admin/v1/accesses', { query: { file: gel } })
    expect(json.items.map((one: { method: string }) => one.method)).toEqual(['thumbnail', 'files.update', 'files.insert'])
  }) // prettier-ignore
})
