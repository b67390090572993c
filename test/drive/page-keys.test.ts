/** The page of the store by keyboard, what can be undone, and what it shows while it waits and when a request fails. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriersOf, hasChromium } from '../support/browser.ts'
import type { Person } from '../support/people.ts'
import { choose, folder, rename, row, status, stored, useStorePage } from '../support/store-page.ts'

describe.skipIf(!hasChromium)('the page of the store', () => {
  const at = useStorePage()
  let count = 0
  const someone = () => at.people.add(`keys-${(count += 1)}@lab.example`)
  const focused = (page: Page) =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')
  const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })
  const titleOf = async (who: Person, id: string) =>
    (await who.ask('GET', `/drive/v2/files/${id}`)).json.title

  describe.for([
    ['desk', { width: 1280, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)('on a %s', ([, viewport]) => {
    test('searches from everywhere, and names the folder of each result', async () => {
      const who = await someone()
      await stored(who, 'donors May.csv', 'a\n', { parent: await folder(who, 'registry') })
      const page = await at.enter(who, '/#starred', { viewport })
      await page.getByRole('heading', { name: 'Starred' }).waitFor()
      const place = () => page.locator('#search').boundingBox()
      const before = await place()
      await page.keyboard.press('/')
      expect(await focused(page)).toBe('search')
      await page.keyboard.type('donors')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Results for “donors”' }).waitFor()
      expect(await barriersOf(page)).toEqual([])
      await row(page, 'donors May.csv').getByRole('link', { name: 'registry' }).click()
      await page.getByRole('heading', { name: 'registry' }).waitFor()
      // the box has not moved, though this view has more tools
      expect(await place()).toEqual(before)
    })

    test('has one tab stop for a list, and goes through it with the arrow keys', async () => {
      const who = await someone()
      const names = Array.from({ length: 100 }, (_, n) => `donor ${n}.csv`)
      await Promise.all(
        names.map((title) => who.ask('POST', '/drive/v2/files', { body: { title, mimeType: 'text/csv' } })),
      )
      const page = await at.enter(who, '/', { viewport })
      await expect.poll(() => page.locator('.files tbody tr').count()).toBe(100)
      const isInRows = () => page.evaluate("document.activeElement.closest('.files tbody') !== null")
      await page.locator('#title').focus()
      await page.keyboard.press('ArrowDown')
      expect(await focused(page)).toBe('donor 0.csv')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      expect(await focused(page)).toBe('donor 2.csv')
      await page.keyboard.press('End')
      expect(await focused(page)).toBe('donor 99.csv')
      await page.keyboard.press('Tab')
      expect(await isInRows()).toBe(false)
      await page.keyboard.press('Shift+Tab')
      expect(await focused(page)).toBe('donor 99.csv')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Space')
      await page.getByText('1 selected').waitFor()
      expect(await page.getByLabel('Select donor 98.csv').isChecked()).toBe(true)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.locator('.menu:popover-open').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'donor 98.csv' }).waitFor()
    })

    test('moves what is selected to the trash by Delete, and takes it back', async () => {
      const who = await someone()
      for (const name of ['a.csv', 'b.csv', 'c.csv']) await stored(who, name)
      const page = await at.enter(who, '/', { viewport })
      await row(page, 'a.csv').waitFor()
      await page.locator('#title').focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('Delete')
      await expect.poll(() => status(page).innerText()).toBe('2 items are in the trash.')
      expect(await page.locator('.files tbody tr').count()).toBe(1)
      expect(await barriersOf(page)).toEqual([])
      await undo(page).press('Enter')
      await expect.poll(() => status(page).innerText()).toBe('Undone.')
      expect(await page.locator('.files tbody tr').count()).toBe(3)
    })

    test('makes a folder by n, opens the upload by u, and shows the keys by ?', async () => {
      const page = await at.enter(await someone(), '/', { viewport })
      await page.getByText('This folder is empty.').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New folder' }).waitFor()
      // keys write in a text
      await page.keyboard.type('run ?/u')
      await page.keyboard.press('Enter')
      await row(page, 'run ?/u').waitFor()
      await page.keyboard.press('u')
      const menu = page.locator('.menu:popover-open').getByRole('button')
      expect(await menu.allInnerTexts()).toEqual(['Files', 'Folder'])
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keyboard' })
      await keys.getByText('show these keys').waitFor()
      expect(await barriersOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await keys.waitFor({ state: 'detached' })
    })

    test('takes back a new name, and a move from another place', async () => {
      const who = await someone()
      const [to, id] = [await folder(who, 'archive'), await stored(who, 'first.csv')]
      const page = await at.enter(who, '/', { viewport })
      await rename(page, 'first.csv', 'second.csv')
      await expect.poll(() => status(page).innerText()).toBe('first.csv is now called second.csv.')
      await undo(page).click()
      await expect.poll(() => status(page).innerText()).toBe('second.csv is called first.csv again.')
      expect(await titleOf(who, id)).toBe('first.csv')
      await choose(page, 'first.csv', 'Move')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'archive' }).click()
      await dialog.getByText('There are no folders here.').waitFor()
      await dialog.getByRole('button', { name: 'Move here' }).click()
      await expect.poll(() => status(page).innerText()).toBe('first.csv is in archive now.')
      await undo(page).click()
      await row(page, 'first.csv').waitFor()
      const { json } = await who.ask('GET', `/drive/v2/files/${id}`)
      expect(json.parents.map((one: { id: string }) => one.id)).not.toContain(to)
    })

    test('offers to repeat a request that failed', async () => {
      const who = await someone()
      await stored(who, 'late.csv')
      const page = await at.enter(who, '/', { viewport })
      await row(page, 'late.csv').waitFor()
      await page.route('**/drive/v2/files?*', (route) => route.abort())
      await page.getByRole('link', { name: 'Recent' }).click()
      await expect.poll(() => status(page).innerText()).toBe('The service cannot be reached.')
      expect(await barriersOf(page)).toEqual([])
      await page.unroute('**/drive/v2/files?*')
      await page.getByRole('button', { name: 'Retry' }).click()
      await row(page, 'late.csv').waitFor()
      expect(await status(page).innerText()).toBe('')
      await page.route('**/drive/v2/files/*?*', (route) => route.abort())
      await choose(page, 'late.csv', 'Star')
      await expect.poll(() => status(page).innerText()).toBe('late.csv: The service cannot be reached.')
      await page.unroute('**/drive/v2/files/*?*')
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect.poll(() => status(page).innerText()).toBe('late.csv is starred.')
      expect(at.complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true)
    })

    test('shows within 100 ms that it waits, and until the answer', async () => {
      const page = await at.enter(await someone(), '/', { viewport })
      await page.getByText('This folder is empty.').waitFor()
      await page.waitForLoadState('networkidle')
      await page.clock.install()
      const held: Route[] = []
      await page.route('**/drive/v2/files?*', (route) => void held.push(route))
      await page.clock.pauseAt(Date.now() + 3_600_000)
      await page.getByRole('link', { name: 'Recent' }).click()
      await expect.poll(() => held.length).toBe(1)
      await page.clock.runFor(100)
      expect(await page.getByRole('progressbar', { name: 'Loading' }).isVisible()).toBe(true)
      await held[0]?.continue()
      await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'hidden' })
    })
  })

  test('has a line of 56 px for each file on a phone, and no ring around headings', async () => {
    const who = await someone()
    await stored(who, `${'a long name of a table '.repeat(4)}.csv`)
    const page = await at.enter(who, '/', { viewport: { width: 390, height: 844 } })
    expect((await row(page, 'a long name').boundingBox())?.height).toBe(56)
    await page.locator('#title').focus()
    await page.keyboard.press('Shift')
    expect(await page.evaluate("getComputedStyle(document.querySelector('#title')).outlineStyle")).toBe(
      'none',
    )
  })
})
