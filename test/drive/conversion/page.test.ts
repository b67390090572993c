/** Converted tables in the page of the store: preview, download in each format, access by link. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { barriersOf, hasChromium } from '../../support/browser.ts'
import type { Person } from '../../support/people.ts'
import { openTab, panel, useStorePage } from '../../support/store-page.ts'

const CSV = 'ID,A_1\n1,A*01:01:01:01\n2,A*99:99\n'

async function kept(who: Person, title: string, content = CSV, type = 'text/csv'): Promise<string> {
  const query = { uploadType: 'media', convert: true }
  const headers = { 'content-type': type, slug: title }
  const { json } = await who.ask('POST', '/upload/drive/v2/files', { query, headers, body: content })
  return json.id
}

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

describe.skipIf(!hasChromium)('a converted table in the page of the store', () => {
  const at = useStorePage()

  test('is previewed, and saved in a format, reduced too', async () => {
    const page = await at.openFile(at.ada, await kept(at.ada, 'donors.csv'))
    await panel(page, 'Preview').getByRole('cell', { name: 'A*01:01:01:01' }).waitFor()
    const format = panel(page, 'Formats').getByLabel('Format')
    await format.waitFor()
    expect(await format.locator('option').allInnerTexts()).toEqual(
      expect.arrayContaining(['CSV', 'TSV', 'Excel (XLSX)', 'JSON Lines', 'CSV, reduced to lgx']),
    )
    const save = () => page.getByRole('button', { name: 'Download in this format' }).click()
    await format.selectOption({ label: 'TSV' })
    expect(await saved(page, save)).toEqual({ name: 'donors.tsv', text: CSV.replaceAll(',', '\t') })
    await format.selectOption({ label: 'CSV, reduced to lgx' })
    const reduced = await saved(page, save)
    expect(reduced.name).toBe('donors.lgx.csv')
    expect(reduced.text).toContain('1,A*01:01:01:01,A*01:01,ok,')
    // a file with bytes has this button, a converted table does not
    expect(await page.getByRole('button', { name: 'Download', exact: true }).count()).toBe(0)
    await openTab(page, 'Versions')
    expect(await saved(page, () => page.getByRole('button', { name: 'Download version 1' }).click())).toEqual(
      {
        name: 'donors.csv',
        text: CSV,
      },
    )
    expect(await barriersOf(page)).toEqual([])
  })

  test('a text is shown', async () => {
    const page = await at.openFile(at.ada, await kept(at.ada, 'notes.txt', 'Zoë was here\n', 'text/plain'))
    await panel(page, 'Preview').getByText('Zoë was here').waitFor()
    // the list of formats is a separate request
    await expect.poll(() => panel(page, 'Formats').locator('option').allInnerTexts()).toEqual(['Text'])
  })

  test('who has the link saves it without an account', async () => {
    const id = await kept(at.ada, 'open.csv')
    const query = { sendNotificationEmails: false }
    const body = { type: 'anyone', role: 'reader', withLink: true }
    await at.ada.ask('POST', `/drive/v2/files/${id}/permissions`, { query, body })
    const page = await at.visit(`/#file/${id}`)
    await panel(page, 'Preview').getByRole('cell', { name: 'A*99:99' }).waitFor()
    const press = () => page.getByRole('link', { name: 'Download as JSON Lines' }).click()
    const { name, text } = await saved(page, press)
    expect([name, text.split('\n')[0]]).toEqual(['open.jsonl', '{"ID":"1","A_1":"A*01:01:01:01"}'])
    expect(await barriersOf(page)).toEqual([])
  })
})
