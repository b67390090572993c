/** The page of the store in a browser, with a service, users and files.  [network] */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { openBrowser, visitPage } from './browser.ts'
import { type Drive, startDrive } from './drive.ts'
import { type People, peopleOf, type Person } from './people.ts'

export const DONORS = 'ID,A_1,A_2,note\n1,01:01,02:01,"x, ""y"""\n2,03:01,,<b>bold</b>\n'

/**
 * One browser and one service for a test file. Call it in a `describe`. `keepsPages`: several tests use a page. `env`:
 * variables of the service.
 */
export function useStorePage({
  keepsPages = false,
  env = {},
}: { keepsPages?: boolean; env?: Readonly<Record<string, string>> } = {}) {
  let browser: Browser
  let drive: Drive
  let people: People
  let ada: Person
  let bob: Person
  /** Errors, console output and requests to other servers, from all pages. */
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    drive = await startDrive({ env })
    people = await peopleOf(drive)
    ada = await people.add('ada@lab.example')
    bob = await people.add('bob@lab.example')
  })
  afterAll(async () => {
    await people.store.close()
    await browser.close()
    await drive.stop()
  })
  afterEach(async () => {
    if (!keepsPages) await Promise.all(browser.contexts().map((context) => context.close()))
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
  })

  const visit = (path = '/', options?: BrowserContextOptions) =>
    visitPage(browser, `${drive.url}${path}`, complaints, options)
  const enter = async (who: Person, path?: string, options?: BrowserContextOptions) =>
    signIn(await visit(path, options), who)

  return {
    complaints,
    visit,
    enter,
    openFile: async (who: Person, id: string, options?: BrowserContextOptions) =>
      enter(who, `/#file/${id}`, options),
    // set before the tests run
    get browser() {
      return browser
    },
    get drive() {
      return drive
    },
    get people() {
      return people
    },
    get ada() {
      return ada
    },
    get bob() {
      return bob
    },
  }
}

export async function signIn(page: Page, { token }: Person): Promise<Page> {
  await page.getByLabel('Sign in with a token').fill(token)
  await page.keyboard.press('Enter')
  await page.locator('#views').getByRole('link', { name: 'My Drive' }).waitFor()
  return page
}

export const row = (page: Page, name: string) => page.locator('.listing tbody tr', { hasText: name })
export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const status = (page: Page) => page.locator('#status')

/** Chooses an action in the menu of a row. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: action, exact: true }).click()
}

/** `kind`: an entry of the toolbar's New menu. */
export async function make(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: kind, exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
}

export async function rename(page: Page, name: string, to: string): Promise<void> {
  await choose(page, name, 'Rename')
  await page.getByLabel('New name').fill(to)
  await page.keyboard.press('Enter')
}

/** Opens the details of the current file or folder. On a wide screen the details of a file are already open. */
export async function openDetails(page: Page): Promise<void> {
  const opener = page.locator('#show-details')
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
}

/** Opens a tab of the details. */
export async function openTab(page: Page, name: string): Promise<void> {
  await openDetails(page)
  await page.getByRole('tab', { name, exact: true }).click()
}

/** Opens the dialog that shares the current file or folder. */
export async function openSharing(page: Page): Promise<void> {
  await leaveDetails(page)
  await page.locator('#share').click()
  await page.locator('dialog.sharing').getByLabel('Address').waitFor()
}

/** Closes the details on a narrow screen, where they cover the page. */
export async function leaveDetails(page: Page): Promise<void> {
  const close = page.locator('#details:modal').getByRole('button', { name: 'Close details' })
  if (await close.isVisible()) await close.click()
}

/** Uploads a file, and returns its id. */
export async function stored(
  who: Person,
  title: string,
  body: string | Uint8Array = DONORS,
  { parent = 'root', type = 'text/csv' } = {},
): Promise<string> {
  const { json } = await who.ask('POST', '/drive/v2/files', {
    body: { title, mimeType: type, parents: [{ id: parent }] },
  })
  await who.ask('PUT', `/upload/drive/v2/files/${json.id}`, { body, headers: { 'content-type': type } })
  return json.id
}

export async function folder(who: Person, title: string, parent = 'root'): Promise<string> {
  const body = { title, mimeType: 'application/vnd.google-apps.folder', parents: [{ id: parent }] }
  return (await who.ask('POST', '/drive/v2/files', { body })).json.id
}
