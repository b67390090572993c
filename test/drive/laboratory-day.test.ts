/**
 * A laboratory's day in both pages, on a desktop and on a phone: each task ends without barriers that axe finds, and
 * fits the window. HLA_UPDATE_SCREENSHOT=1 updates docs/pictures.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { barriersOf, hasChromium, visitPage } from '../support/browser.ts'
import { hasShared } from '../support/shared.ts'
import type { Person } from '../support/people.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import {
  choose,
  leaveDetails,
  make,
  openSharing,
  openTab,
  panel,
  rename,
  row,
  signIn,
  status,
  useStorePage,
} from '../support/store-page.ts'

const PICTURES = join(import.meta.dirname, '../../docs/pictures')
/** Pictures that docs/how-to/pages.md shows. */
const PICTURED = new Set([
  'store-details-phone',
  'store-file-desk',
  'store-list-desk',
  'store-selected-phone',
  'store-users-desk',
  'store-keys-phone',
  'typing-desk',
  'typing-phone',
])
const LOOKS = process.env['HLA_LOOK']
const isPictured = process.env['HLA_UPDATE_SCREENSHOT'] !== undefined

const DONORS = [
  ['ID', 'A_1', 'A_2', 'B_1', 'B_2', 'DRB1_1', 'DRB1_2'],
  ['1001', '01:01', '02:AB', '07:02', '08:01', '15:01', '03:01'],
  ['1002', '25:01', '03:01', '44:02', '', '04:01', '13:02'],
  ['1003', '24:02', '24:02', '35:01', '51:01', '11:04', '07:01'],
]
/** Link text -> page heading, where they differ. */
const HEADINGS = new Map([['Administration', 'Users']])
const PASSWORD = 'correct horse battery'

const tableOf = (rows: readonly (readonly string[])[]) => rows.map((one) => `${one.join(',')}\n`).join('')
const upload = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

describe.skipIf(!hasChromium)('a day of a laboratory', () => {
  const at = useStorePage({ keepsPages: true })
  let service: Service
  let hla = ''

  beforeAll(async () => {
    const knowledge = hasShared ? { release: realRelease('3580'), mac: realMacs() } : openStarter()
    service = openService(makeKnowledge(knowledge))
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.app.server.address() as AddressInfo // a TCP server's address is never a string
    hla = `http://127.0.0.1:${port}/`
  })
  afterAll(() => service.drain({ delay: 0, patience: 0 }))

  describe.for([
    ['desk', { width: 1280, height: 900 }, 2560],
    ['phone', { width: 390, height: 844 }, 360],
  ] as const)('on a %s', ([device, viewport, extreme]) => {
    let looks = 0
    let page: Page
    let who: Person
    const added = `eve-${device}@lab.example`

    beforeAll(async () => {
      who = await at.people.add(`${device}@lab.example`)
      page = await at.visit('/', { viewport })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    })
    afterAll(() => page.context().close())

    /** Checks that the page is accessible and not wider than the window. */
    async function expectUsable(state?: string): Promise<void> {
      expect(await barriersOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
      await expectFitting()
      const picture = `${state}-${device}`
      if (!isPictured || !PICTURED.has(picture)) return
      await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
      await page.screenshot({ path: join(PICTURES, `${picture}.png`) })
    }

    /**
     * Checks the width also on the smallest phone and the widest screen. HLA_LOOK=FOLDER saves screenshots, light and
     * dark.
     */
    async function expectFitting(): Promise<void> {
      await page.setViewportSize({ ...viewport, width: extreme })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(extreme)
      if (LOOKS !== undefined) {
        looks += 1
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.screenshot({
            path: join(LOOKS, `${extreme}-${looks}-${colorScheme}.png`),
            fullPage: true,
          })
        }
        await page.emulateMedia({ colorScheme: null })
      }
      await page.setViewportSize(viewport)
    }

    const goTo = async (place: string, tab?: string) => {
      await page.getByRole('navigation', { name: 'The store' }).getByRole('link', { name: place }).click()
      await page.getByRole('heading', { name: HEADINGS.get(place) ?? place, exact: true }).waitFor()
      if (tab === undefined) return
      await page
        .getByRole('navigation', { name: 'Administration' })
        .getByRole('link', { name: tab, exact: true })
        .click()
      await page.getByRole('heading', { name: tab, exact: true }).waitFor()
    }
    const openFile = async (name: string) => {
      await page.locator('.listing').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, exact: true }).waitFor()
      await panel(page, 'Preview').locator('table').waitFor()
    }
    const saysThat = async (text: string) => {
      await expect.poll(() => status(page).innerText(), { timeout: 10_000 }).toContain(text)
    }

    test('1 signs in', async () => {
      await expectUsable()
      await signIn(page, who)
      await page.getByText('This folder is empty.').waitFor()
      await expectUsable()
    })

    test('2 makes a folder', async () => {
      for (const name of ['registry', 'archive']) {
        await make(page, 'Folder', name)
        await row(page, name).waitFor()
      }
      await expectUsable()
    })

    test('3 uploads a table', async () => {
      await page.getByRole('link', { name: 'registry' }).click()
      await page.getByRole('heading', { name: 'registry' }).waitFor()
      await page.getByLabel('Upload files').setInputFiles(upload('donors.csv', tableOf(DONORS)))
      await row(page, 'donors.csv').waitFor()
      await page.getByText('1 uploaded').waitFor()
      await expectUsable('store-list')
      await page.getByRole('button', { name: 'Clear finished' }).click()
    })

    test('4 finds it by what is in it', async () => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('1002')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Results for “1002”' }).waitFor()
      await expect.poll(() => row(page, 'donors.csv').count()).toBe(1)
      await expectUsable()
    })

    test('5 previews it', async () => {
      await openFile('donors.csv')
      await panel(page, 'Preview').getByText('02:AB').waitFor()
      await panel(page, 'Preview').getByText('17 typings, valid in ').waitFor()
      await expectUsable('store-file')
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('button, input').filter({ visible: true }).count()).toBe(0)
      expect(await panel(page, 'Preview').getByText('02:AB').isVisible()).toBe(true)
      await page.emulateMedia({ media: null })
    })

    test('6 sends a new version', async () => {
      const corrected = DONORS.with(2, ['1002', '25:01', '03:01', '44:02', '44:03', '04:01', '13:02'])
      await page.getByLabel('Upload a new version').setInputFiles(upload('donors.csv', tableOf(corrected)))
      await panel(page, 'Preview').getByText('44:03').waitFor()
      await expectUsable()
    })

    test('7 compares the versions', async () => {
      await openTab(page, 'Versions')
      await panel(page, 'Versions')
        .getByRole('button', { name: /^Compare/ })
        .first()
        .click()
      await panel(page, 'Versions').getByText('1 line added, 1 line removed.').waitFor()
      await expectUsable()
    })

    test('8 restores the version before', async () => {
      await panel(page, 'Versions')
        .getByRole('button', { name: /^Restore/ })
        .first()
        .click()
      await saysThat('is the newest again.')
      await expect.poll(() => panel(page, 'Preview').getByText('44:03').count()).toBe(0)
      await expectUsable()
    })

    test('9 comments on it', async () => {
      await openTab(page, 'Activity')
      await page.getByLabel('Your comment').fill('1002 has no second B.')
      await page.getByRole('button', { name: 'Comment' }).click()
      await panel(page, 'Activity').getByText('commented: 1002 has no second B.').waitFor()
      await expectUsable()
    })

    test('10 shares it with a colleague', async () => {
      await openSharing(page)
      await panel(page, 'Sharing').getByLabel('Address').fill('bob@lab.example')
      await panel(page, 'Sharing').getByRole('button', { name: 'Share', exact: true }).click()
      await saysThat('Shared.')
      await panel(page, 'Sharing').getByRole('button', { name: 'Remove bob (bob@lab.example)' }).waitFor()
      await expectUsable('store-details')
    })

    test('11 shares it by a link, and takes it back', async () => {
      await page.getByLabel('Share with').selectOption('anyone')
      await panel(page, 'Sharing').getByRole('button', { name: 'Share', exact: true }).click()
      await page.getByRole('button', { name: 'Remove anyone with the link' }).waitFor()
      await page.getByRole('button', { name: 'Copy link' }).click()
      await saysThat('The link is copied.')
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/#file/')
      await expectUsable()
      await page.getByRole('button', { name: 'Remove anyone with the link' }).click()
      await saysThat('no longer has access.')
      await page.keyboard.press('Escape')
    })

    test('12 gives it another name', async () => {
      await leaveDetails(page)
      await rename(page, 'donors.csv', 'donors May.csv')
      await page.getByRole('heading', { name: 'donors May.csv' }).waitFor()
      await expectUsable()
    })

    test('13 moves it to another folder', async () => {
      await choose(page, 'donors May.csv', 'Move')
      const dialog = page.getByRole('dialog', { name: /^Move/ })
      await dialog.getByRole('button', { name: 'archive' }).click()
      await dialog.getByText('There are no folders here.').waitFor()
      await expectUsable()
      await dialog.getByRole('button', { name: 'Move here' }).click()
      await saysThat('is in archive now.')
    })

    test('14 copies it, and stars the copy', async () => {
      await page.locator('#above').getByRole('link', { name: 'archive' }).click()
      await page.getByRole('heading', { name: 'archive' }).waitFor()
      await choose(page, 'donors May.csv', 'Copy')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'registry' }).click()
      await dialog.getByText('There are no folders here.').waitFor()
      await dialog.getByRole('button', { name: 'Copy here' }).click()
      await saysThat('is copied to registry.')
      await choose(page, 'donors May.csv', 'Star')
      await goTo('Starred')
      await row(page, 'donors May.csv').waitFor()
      await expectUsable()
    })

    test('15 takes a folder along as a zip', async () => {
      await goTo('My Drive')
      await page.getByLabel('Select all').check()
      await page.getByText('2 selected').waitFor()
      await expectUsable('store-selected')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download (selected)' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('files.zip')
      await page.getByLabel('Select all').uncheck()
    })

    test('16 throws it away, and takes it out again', async () => {
      await page.locator('.listing').getByRole('link', { name: 'registry' }).click()
      await page.getByRole('heading', { name: 'registry' }).waitFor()
      await choose(page, 'donors May.csv', 'Delete')
      await saysThat('donors May.csv is in the trash.')
      await goTo('Trash')
      await expectUsable()
      await choose(page, 'donors May.csv', 'Restore')
      await saysThat('donors May.csv is restored.')
      await goTo('My Drive')
      await choose(page, 'registry', 'Delete')
      await saysThat('registry is in the trash.')
    })

    test('17 empties the trash', async () => {
      await goTo('Trash')
      await page.getByRole('button', { name: 'Empty trash' }).click()
      await expectUsable()
      await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
      await saysThat('All your items in the trash are deleted.')
    })

    test('18 makes a shared drive, and adds a member', async () => {
      await goTo('Shared drives')
      await make(page, 'Shared drive', `Typing ${device}`)
      await page
        .locator('#view')
        .getByRole('link', { name: `Typing ${device}` })
        .click()
      await page.getByRole('heading', { name: `Typing ${device}` }).waitFor()
      await openSharing(page)
      await panel(page, 'Members').getByLabel('Address').fill('bob@lab.example')
      await panel(page, 'Members').getByRole('button', { name: 'Add member' }).click()
      await panel(page, 'Members').getByRole('button', { name: 'Remove bob (bob@lab.example)' }).waitFor()
      await expectUsable()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Sign in with a token').waitFor()
    })

    test('19 looks a typing up', async () => {
      page = await visitPage(at.browser, hla, at.complaints, { viewport })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByLabel('Typing', { exact: true }).fill('A*01:01:01:01+A*02:AB^B*07:02+B*08:01')
      await page.keyboard.press('Enter')
      await page.getByText('Valid in 3.58.0').first().waitFor()
      await expectUsable('typing')
    })

    test('20 sees what is wrong with another', async () => {
      await page.getByLabel('Typing', { exact: true }).fill('A*01:01+')
      await page.keyboard.press('Enter')
      await page.getByText('Not a GL String', { exact: true }).waitFor()
      await expectUsable()
    })

    test('21 goes back to the first, and prints it', async () => {
      await page.goBack()
      await page.locator('#verdict').getByText('Valid in 3.58.0').waitFor()
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('button').filter({ visible: true }).count()).toBe(0)
      expect(await page.locator('#result').isVisible()).toBe(true)
      await page.emulateMedia({ media: null })
    })

    test('22 pastes a column of a spreadsheet, and converts it', async () => {
      await page.evaluate('navigator.clipboard.writeText("A*01:01+A*02:01\\nA*03:01+A*24:02\\n")')
      await page.getByLabel('Typing', { exact: true }).focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('ControlOrMeta+v')
      await page.locator('#preview').getByText('GL Strings', { exact: true }).first().waitFor()
      await expectUsable()
      await page.getByRole('button', { name: 'Convert' }).click()
      await page.getByRole('link', { name: 'Download pasted.lgx.csv' }).waitFor()
      await expectUsable()
    })

    test('23 previews a table, and picks its columns', async () => {
      await page.getByLabel('CSV, TSV, workbook').setInputFiles(upload('donors.csv', tableOf(DONORS)))
      await page.getByRole('button', { name: 'Preview' }).click()
      const preview = page.locator('#preview')
      await preview.getByText('DRB1_2_lgx').first().waitFor()
      await preview.getByLabel('What DRB1_1 holds').selectOption('Left as it is')
      await preview.getByLabel('What DRB1_2 holds').selectOption('Left as it is')
      await expect.poll(() => preview.getByText('DRB1_2_lgx').count(), { timeout: 10_000 }).toBe(0)
      await expectUsable()
    })

    test('24 tries a request of the interface', async () => {
      await page.getByRole('link', { name: 'API' }).click()
      await page.locator('#redux summary').click()
      await page.getByRole('button', { name: 'Send POST redux' }).click()
      await page.locator('#redux').getByText('"ard"').waitFor()
      await expectUsable()
    })

    test('25 adds a user', async () => {
      page = await at.visit('/', { viewport })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await signIn(page, { ...who, token: at.drive.token })
      await goTo('Administration', 'Users')
      await page.getByRole('button', { name: 'Add user' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('E-mail address').fill(added)
      await form.getByLabel('Name', { exact: true }).fill('Eve of the lab')
      await form.getByLabel('Password').fill(PASSWORD)
      await expectUsable()
      await form.getByRole('button', { name: 'Add' }).click()
      await saysThat(`${added} is a user now.`)
      await page.getByLabel('Address begins with').fill(added)
      await page.getByRole('button', { name: 'Find' }).last().click()
      await expect.poll(() => page.locator('.listing tbody tr').count()).toBe(1)
      await expectUsable('store-users')
      await choose(page, added, 'Change')
      await page.getByLabel('Quota (GB)').fill('2.5')
      await expectUsable()
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
      await row(page, added).getByText('of 2,500 MB').waitFor()
    })

    test('26 puts her into a group', async () => {
      const group = `typists-${device}@lab.example`
      await goTo('Administration', 'Groups')
      await page.getByRole('button', { name: 'Add group' }).click()
      await page.getByRole('dialog').getByLabel('E-mail address').fill(group)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: group }).click()
      await page.getByRole('button', { name: 'Add member' }).click()
      await page.getByRole('dialog').getByLabel('Address of a user').fill(added)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${added}` }).waitFor()
      await expectUsable()
    })

    test('27 makes a key for a program, and revokes it', async () => {
      await goTo('Administration', 'Keys')
      await page.getByRole('button', { name: 'Make token' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('User', { exact: true }).fill(added)
      await form.getByLabel('For', { exact: true }).fill('sequencer')
      await form.getByLabel('Access', { exact: true }).selectOption('drive.readonly')
      await form.getByRole('button', { name: 'Make' }).click()
      await page.getByRole('button', { name: 'Copy token' }).click()
      await saysThat('The token is copied.')
      const token = String(await page.evaluate('navigator.clipboard.readText()'))
      expect((await at.drive.ask('GET', '/drive/v2/about', { token })).status).toBe(200)
      await expectUsable('store-keys')
      await page.getByRole('button', { name: `Revoke sequencer of ${added}` }).click()
      await page.getByRole('dialog').getByText('are refused from now on').waitFor()
      await expectUsable()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await saysThat('is revoked.')
      expect((await at.drive.ask('GET', '/drive/v2/about', { token })).status).toBe(401)
      await page.reload()
      await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Make token' }).waitFor()
      expect(await page.getByText(token).count()).toBe(0)
    })

    test('28 ends a session', async () => {
      const body = new URLSearchParams({ email: added, password: PASSWORD }).toString()
      await at.drive.ask('POST', '/sign-in', { body, headers: { 'x-hla-page': '1' }, token: undefined })
      await goTo('Administration', 'Sessions')
      await page.getByRole('button', { name: `End the session of ${added}` }).waitFor()
      await expectUsable()
      await page.getByRole('button', { name: `End the session of ${added}` }).click()
      await saysThat(`The session of ${added} is ended.`)
    })

    test('29 sets a limit, and sets it back', async () => {
      await goTo('Administration', 'Settings')
      const limit = page.getByLabel('Nesting depth of folders', { exact: true })
      await limit.fill('50')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await saysThat('1 setting is saved.')
      await expectUsable()
      await page.getByRole('button', { name: 'Usual: 100, nesting depth of folders' }).click()
      await page.getByRole('button', { name: 'Save settings' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'nesting depth of folders' }).count()).toBe(0)
      expect(await limit.inputValue()).toBe('100')
    })

    test('30 reads what was administered, and removes the user', async () => {
      await goTo('Administration', 'Log')
      await page.getByText(`added the user ${added}`).waitFor()
      expect(await page.getByText(PASSWORD).count()).toBe(0)
      await expectUsable()
      await goTo('Administration', 'Users')
      await choose(page, added, 'Remove')
      await expectUsable()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await saysThat(`${added} is removed.`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Sign in with a token').waitFor()
    })
  })
})
