/**
 * Links with their own address, opened without an account: password, file, folder and expiry, on a desktop and on a
 * phone.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { barriersOf, hasChromium } from '../support/browser.ts'
import { DONORS, folder, panel, status, stored, useStorePage } from '../support/store-page.ts'

const SCREENS = [
  ['desk', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const
const PASSWORD = 'open, open, sesame'
const GONE = 'This link does not exist, or has ended. Ask the person who sent it for another one.'

describe.skipIf(!hasChromium)('a link', () => {
  const at = useStorePage()

  async function linkTo(file: string, more: object = {}): Promise<{ id: string; path: string }> {
    const { json, status: code } = await at.ada.ask('POST', '/links', { body: { file, ...more } })
    expect(code).toBe(200)
    return { id: json.id, path: `/link/${json.id}` }
  }
  const end = (id: string) => at.ada.ask('DELETE', `/links/${id}`)
  const refusals = () => new Set(at.complaints.splice(0).map((text) => /\b(\d{3})\b/.exec(text)?.[1]))

  describe.for(SCREENS)('on a %s', ([device, viewport]) => {
    async function expectUsable(page: Page): Promise<void> {
      expect(await barriersOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    }
    /** @returns the content of the file that the browser saves */
    async function download(page: Page): Promise<string> {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('#title-actions').getByText('Download', { exact: true }).click(),
      ])
      return readFileSync(await file.path(), 'utf8')
    }

    test('with a password asks for it, and then shows its file', async () => {
      const file = await stored(at.ada, `closed ${device}.csv`)
      const { id, path } = await linkTo(file, { password: PASSWORD })
      const page = await at.visit(path, { viewport })
      await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
      expect(await page.title()).toBe('This link has a password · Files')
      await expectUsable(page)
      await page.getByLabel('Password').fill('open, open, barley')
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByRole('alert').getByText('The password is wrong.').waitFor()
      await expectUsable(page)
      expect([...refusals()]).toEqual(['401'])
      await page.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `closed ${device}.csv` }).waitFor()
      await panel(page, 'Preview').getByText('02:01').waitFor()
      await page.getByText('shared by ada').waitFor()
      expect(await page.locator('#title svg.icon.table').count()).toBe(1)
      await expectUsable(page)
      expect(await download(page)).toBe(DONORS)
      await end(id)
      await page.reload()
      await expect.poll(() => status(page).innerText()).toContain('Sign in to open this.')
      expect(await page.locator('#store').isHidden()).toBe(true)
      await expectUsable(page)
      await page.goto(`${at.drive.url}${path}`)
      await page.getByText(GONE).waitFor()
      await expectUsable(page)
      expect([...refusals()]).toEqual(['404'])
    })

    test('with a limit of downloads counts none for looking, and says when it is used up', async () => {
      const { path } = await linkTo(await stored(at.ada, 'once.csv'), { mostDownloads: 2 })
      const page = await at.visit(path, { viewport })
      await page.getByText('This link allows 2 more downloads.').waitFor()
      await page.reload()
      await page.getByText('This link allows 2 more downloads.').waitFor()
      await expectUsable(page)
      expect(await download(page)).toBe(DONORS)
      await page.getByText('This link allows 1 more download.').waitFor()
      // another visitor uses the last download
      const other = await at.visit(path, { viewport })
      await other.getByText('This link allows 1 more download.').waitFor()
      expect(await download(other)).toBe(DONORS)
      await page.locator('#title-actions').getByText('Download', { exact: true }).click()
      for (const one of [page, other])
        await one
          .getByText('This link has been used for as many downloads as it allows. Ask ada for another one.')
          .waitFor()
      expect(await page.locator('#title-actions').getByText('Download').count()).toBe(0)
      await expectUsable(page)
      expect([...refusals()]).toEqual(['403'])
    }) // prettier-ignore

    test('to a folder lists it as the page does, and leads back up', async () => {
      const top = await folder(at.ada, `registry ${device}`)
      const below = await folder(at.ada, 'year 2026', top)
      await stored(at.ada, 'inside.csv', DONORS, { parent: below })
      const page = await at.visit((await linkTo(top)).path, { viewport })
      await page.locator('.listing').getByRole('link', { name: 'year 2026' }).click()
      await page.getByRole('heading', { name: 'year 2026' }).waitFor()
      const row = page.locator('.files tbody tr')
      expect(await row.locator('svg.icon.table').count()).toBe(1)
      expect((await row.boundingBox())?.height).toBeLessThan(80)
      await expectUsable(page)
      await page.getByRole('button', { name: 'Actions for inside.csv' }).click()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.menu:popover-open').getByRole('button', { name: 'Download' }).click(),
      ])
      expect(saved.suggestedFilename()).toBe('inside.csv')
      await page.getByRole('link', { name: 'inside.csv' }).click()
      await panel(page, 'Preview').getByText('02:01').waitFor()
      await page.locator('#above').getByRole('link', { name: `registry ${device}` }).click()
      await page.getByRole('heading', { name: `registry ${device}` }).waitFor()
      await expectUsable(page)
    }) // prettier-ignore
  })

  test('and the page have the name that an administrator gave the store', async () => {
    const admin = { ...at.ada, token: at.drive.token }
    const page = await at.enter(admin, '/#admin/limits')
    await page.getByLabel('Name of the store').fill('Registry of the region')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect.poll(() => status(page).innerText()).toBe('1 setting is saved.')
    expect(await page.title()).toBe('Settings · Registry of the region')
    const { path } = await linkTo(await stored(at.ada, 'named.csv'), { password: PASSWORD })
    for (const place of ['/', path]) {
      const other = await at.visit(place)
      await other.getByRole('heading', { name: 'Registry of the region', level: 1 }).waitFor()
      expect(await other.title()).toContain('Registry of the region')
    }
    const log = await at.drive.ask('GET', '/drive/admin/v1/log', { query: { maxResults: 1 } })
    expect(log.json.items).toMatchObject([{ command: 'setName', subject: 'Registry of the region' }])
    const put = (name: string) => at.drive.ask('PUT', '/drive/admin/v1/name', { body: { name } })
    expect((await put('x'.repeat(61))).status).toBe(400)
    expect((await put(' ')).json).toEqual({ name: '' })
    expect((await at.drive.ask('GET', '/sign-in')).json).not.toHaveProperty('name')
  })

  test('has no end by itself where an administrator sets the limit to 0', async () => {
    const page = await at.enter({ ...at.ada, token: at.drive.token }, '/#admin/limits')
    const limitDays = async () => {
      const { json } = await at.drive.ask('GET', '/drive/admin/v1/limits')
      return json.items.find(({ name }: { name: string }) => name === 'link-days').value
    }
    for (const days of ['7', '0']) {
      await page.getByRole('spinbutton', { name: 'Lifetime of links for anyone' }).fill(days)
      await page.getByRole('button', { name: 'Save settings' }).click()
      // the form is a new one when this is shown
      await page.getByText('1 setting is saved.').waitFor()
      await expect.poll(limitDays).toBe(Number(days))
    }
  })
})
