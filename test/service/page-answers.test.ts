/** The page's answers for a typing and a table, and its link, in a real browser: one service for all of it. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { barriersOf, hasChromium, openBrowser, visitPage } from '../support/browser.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe.skipIf(!hasChromium || !hasShared)('the page with a whole release', () => {
  let browser: Browser
  let service: Service
  let url = ''
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    service = openService(
      makeKnowledge({
        release: realRelease('3580'),
        mac: realMacs(),
        history: publishedHistory,
        installed: () => ['3.58.0', '3.29.0'],
        open: (name) => ({ release: realRelease(name.replaceAll('.', '')), history: publishedHistory }),
      }),
    )
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
    url = `http://127.0.0.1:${port}/`
  })
  afterAll(async () => {
    await service.drain({ delay: 0, patience: 0 })
    await browser.close()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
  })

  const visit = (search = '', options?: BrowserContextOptions) =>
    visitPage(browser, url + search, complaints, options)
  const box = (page: Page) => page.getByLabel('Typing', { exact: true })
  const inner = (page: Page, selector: string) => page.locator(selector).innerText()

  async function lookUp(page: Page, typing: string): Promise<void> {
    await box(page).fill(typing)
    await page.keyboard.press('Enter')
    await page.locator('#typing-status:is(.heard, .failed)').waitFor({ state: 'attached' })
  }

  test('a link says it all, going back and loading again keep it, whatever a "+" in it is written as', async () => {
    const page = await visit('?gl=A*01:01:01:01+A*02:AB&m=G')
    await page.getByText('Valid in 3.58.0').first().waitFor()
    expect(await box(page).inputValue()).toBe('A*01:01:01:01+A*02:AB')
    expect(await inner(page, '#answer h3')).toMatch(/^G\b/)
    await lookUp(page, 'B*07:02^DRB1*15:01')
    expect(page.url()).toBe(`${url}?gl=B*07:02%5EDRB1*15:01&m=G`)
    await page.reload()
    await expect.poll(() => inner(page, '#verdict')).toContain('B*07:02^DRB1*15:01')
    await page.goBack()
    await expect.poll(() => inner(page, '#verdict')).toContain('A*01:01:01:01+A*02:AB')
    await page.goForward()
    await expect.poll(() => box(page).inputValue()).toBe('B*07:02^DRB1*15:01')
    // unfinished input stays when the user opens another part of the page
    await box(page).fill('C*01')
    await page.getByRole('link', { name: 'Table' }).click()
    expect(await box(page).inputValue()).toBe('C*01')
    await page.goto(`${url}?gl=A*01:01%2BA*02:01&m=none`)
    await expect.poll(() => inner(page, '#typing-status')).toContain('The link asks for method "none"')
    expect(await box(page).inputValue()).toBe('A*01:01+A*02:01')
  })

  test('completes names and codes while they are typed, by keyboard and by pressing', async () => {
    const page = await visit()
    await box(page).pressSequentially('A*01:01+DRB1*15:01:01:0')
    const options = page.locator('#completion [role=option]')
    await expect.poll(() => options.allInnerTexts()).toContain('DRB1*15:01:01:02')
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const first = await options.first().innerText()
    expect(await box(page).getAttribute('aria-activedescendant')).toBe('completion-0')
    await page.keyboard.press('Enter')
    expect(await box(page).inputValue()).toBe(`A*01:01+${first}`)
    expect(await page.locator('#meaning').isHidden()).toBe(true)
    await box(page).pressSequentially('/A*02:AB')
    await options.getByText('A*02:AB', { exact: true }).click()
    expect(await box(page).inputValue()).toBe(`A*01:01+${first}/A*02:AB`)
    await page.keyboard.press('Backspace')
    await expect.poll(() => options.count()).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    // a user who types on and presses Enter wants the answer without suggestions over it
    await box(page).fill('')
    await box(page).pressSequentially('A*01:01')
    await page.keyboard.press('Enter')
    await page.locator('#verdict').getByText('Valid in 3.58.0').waitFor()
    await page.waitForTimeout(500)
    expect(await options.count()).toBe(0)
  })

  test('shows a card a locus, common alleles, codes of lists, DRBX, and why, folded', async () => {
    const page = await visit()
    const typing = 'A*01:AB+A*02:01/A*02:02^DRB1*03:01+DRB1*04:01^DRB3*01:01^DRB4*01:03'
    await lookUp(page, typing)
    for (const part of ['Locus by locus', 'Codes', 'Antigens and DRBX'])
      await page.getByText(part, { exact: true }).click()
    expect(await page.locator('.card > h3').allInnerTexts()).toEqual(['A', 'DRB1', 'DRB3', 'DRB4'])
    expect(await page.locator('.card').first().innerText()).toContain(
      'two fields, ARD (lgx) A*01:01/A*01:02+A*02:01/A*02:02',
    )
    expect(await inner(page, '#codes')).toContain('A*02:AB')
    expect(await inner(page, '#antigens')).toContain('DRB3*01:01+DRB4*01:03')
    expect(await page.locator('#common details').getAttribute('open')).toBeNull()
    await page.locator('#common summary').click()
    expect(await inner(page, '#common')).toMatch(/A\*01:AB\s+A\*01:01\/A\*01:02/)
    expect(await page.locator('#explanation details').getAttribute('open')).toBeNull()
    expect(await barriersOf(page)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#verdict').isVisible()).toBe(true)
    for (const id of ['#typing-form', '#table-form', '#examples', '#codes .small'])
      expect(await page.locator(id).filter({ visible: true }).count()).toBe(0)
  })

  test('breaks a long result between names', async () => {
    const page = await visit('', { viewport: { width: 390, height: 800 } })
    await lookUp(page, 'A*02:XX')
    const cut = await page.evaluate(`(() => {
      const cell = document.querySelector('#result span')
      const names = [...cell.childNodes].filter((node) => node.nodeType === 3)
      return names.slice(0, 40).filter((node) => {
        const range = document.createRange()
        range.selectNodeContents(node)
        return range.getClientRects().length > 1
      }).map((node) => node.data)
    })()`)
    expect(cut).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })

  test('translates names of another release, and compares what becomes of them', async () => {
    const page = await visit('?gl=A*01:04N')
    await page.getByText('In another release').click()
    expect(await page.getByLabel('Release', { exact: true }).locator('option').allTextContents()).toEqual([
      '3.29.0',
    ])
    await page.getByRole('button', { name: 'Translate its names' }).click()
    await expect.poll(() => inner(page, '#release-answer')).toMatch(/A\*01:04:01:01N\s+.*extended/)
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Compare the results' }).click()
    await expect
      .poll(() => inner(page, '#release-answer'), { timeout: 20_000 })
      .toMatch(/3\.29\.0\s+A\*01:01\s+3\.58\.0\s+A\*01:01\s+changed\s+no/)
  })

  test('compares the typing with that of a donor; the address has both in its fragment only', async () => {
    const page = await visit('?gl=A*01:01%2BA*02:01')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByLabel('Compare with').fill('A*01:01+A*03:01^B*07:02')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => inner(page, '#match-answer'))
      .toMatch(/1 of 2 alleles match .*\s.*\s*A\s+mismatch, antigen\s+1\s+1\s+B\s+untyped/s)
    const { search, hash } = new URL(page.url())
    expect(search).toBe('')
    expect(hash).toBe('#gl=A*01:01%2BA*02:01&with=A*01:01%2BA*03:01%5EB*07:02')
    expect(asked.filter((url) => url.includes('with='))).toEqual([])
    expect(await barriersOf(page)).toEqual([])
    const again = await visit(hash)
    await expect.poll(() => inner(again, '#match-answer')).toMatch(/1 of 2 alleles match/)
    await again.getByLabel('Compare with').fill('A*01:01+A*99:99')
    await again.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect.poll(() => inner(again, '#match-answer')).toMatch(/unread.*A\*99:99 is not in/s)
    await again.goBack()
    await expect.poll(() => inner(again, '#match-answer')).toMatch(/1 of 2 alleles match/)
    await again.getByLabel('Compare with').fill('')
    await again.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect.poll(() => inner(again, '#match-answer')).toBe('')
    expect(new URL(again.url()).search).toBe('?gl=A*01:01%2BA*02:01')
  })

  test('makes a table of several lines that are pasted', async () => {
    const page = await visit()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate('navigator.clipboard.writeText("A*01:01+A*02:01\\nA*03:01+A*24:02\\n")')
    await box(page).focus()
    await page.keyboard.press('ControlOrMeta+v')
    await expect.poll(() => inner(page, '#table-status')).toContain('They are read as a table')
    await page.locator('#preview').getByText('GL Strings', { exact: true }).first().waitFor()
    expect(await box(page).inputValue()).toBe('')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Download pasted.lgx.csv' }).waitFor()
    expect(await inner(page, '#converted dl.counts')).toMatch(/rows\s+2\s+reduced\s+2/)
    expect(await page.getByRole('table', { name: 'All rows, converted' }).locator('tr').count()).toBe(2)
  })

  test('shows how a table is read before it is converted, its first rows, and what is not read; columns are picked', async () => {
    const rows = Array.from({ length: 9000 }, (_, at) => `${at},01:01,02:01,07:02,08:01,"x, y"\n`)
    const file = temp('donors.csv.gz')
    writeFileSync(file, gzipSync(`ID,A_1,A_2,B_1,B_2,note\n${rows.join('')}`))
    const page = await visit()
    await page.getByLabel('CSV, TSV, workbook').setInputFiles(file)
    const sent: number[] = []
    page.on('request', (request) => sent.push(request.postDataBuffer()?.byteLength ?? 0))
    expect(await page.locator('#preview').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('heading', { name: 'Preview of the first rows' }).waitFor()
    expect(sent.every((bytes) => bytes <= 65_536)).toBe(true)
    const preview = page.locator('#preview')
    expect(await preview.getByLabel('What note holds').inputValue()).toBe('')
    expect(await preview.getByLabel('What B_1 holds').inputValue()).toBe('B')
    expect(await preview.getByRole('row', { name: /^B_1/ }).innerText()).toContain('07:02 -> B*07:02')
    const shown = preview.getByRole('table', { name: 'The first 10 rows, converted' })
    expect(await shown.locator('tbody tr').count()).toBe(10)
    expect(await shown.locator('thead').innerText()).toMatch(/B_2_lgx/)
    expect(await barriersOf(page)).toEqual([])
    await preview.getByLabel('What B_1 holds').selectOption('Left as it is')
    await expect.poll(() => shown.locator('thead').innerText()).not.toContain('B_1_lgx')
    await preview.getByLabel('What B_2 holds').selectOption('Left as it is')
    await expect.poll(() => shown.locator('thead').innerText()).not.toContain('B_2_lgx')
    await page.getByRole('button', { name: 'Convert' }).click()
    await page.locator('#download').waitFor()
    expect(await inner(page, '#converted dl.counts')).toMatch(/rows\s+9,000\s+reduced\s+18,000/)
  })

  test.for([
    ['with a header', 'donor,first,second\nd1,01:01,02:01\nd2,03:01,24:02\n', ['first', 'second']],
    ['without a header', '01:01\t02:01\n03:01\t24:02\n', ['Column 1', 'Column 2']],
  ] as const)('asks for the locus of pasted columns %s in a menu', async ([, pasted, columns]) => {
    const page = await visit()
    await box(page).fill(pasted)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByRole('heading', { name: 'What does each column hold?' }).waitFor()
    complaints.length = 0
    expect(await barriersOf(page)).toEqual([])
    const [first, second] = columns
    await page.getByLabel(`What ${first} holds`).selectOption('Typings of A')
    await page.getByRole('heading', { name: 'Preview of the table' }).waitFor()
    // the keyboard focus stays in place
    expect(await page.evaluate('document.activeElement.id')).toMatch(/^column-[12]$/)
    const menu = page.locator(first === 'first' ? '#column-3' : '#column-2')
    await menu.selectOption('Typings of A')
    await expect.poll(() => inner(page, '#preview')).toMatch(/03:01\s+A\*03:01\s+24:02\s+A\*24:02/)
    expect(second).not.toBe(first)
    // another file has different columns
    await page.getByLabel('CSV, TSV, workbook').setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from('ID,A_1,A_2\n1,01:01,02:01\n') })
    await page.getByRole('button', { name: 'Convert' }).click()
    await page.locator('#download').waitFor()
    expect(await inner(page, '#converted dl.counts')).toMatch(/rows\s+1\s+reduced\s+2/)
  }) // prettier-ignore

  const SLIPS = 'ID,A_1,A_2\n1,A*01:01,A*2:01\n2,"A*2:01",\n3,A*24:02,A*2:01\n'

  test('groups failed cells by value, and puts another in their place before the table is converted', async () => {
    const page = await visit()
    await page
      .getByLabel('CSV, TSV, workbook')
      .setInputFiles({ name: 'a.csv.gz', mimeType: 'application/gzip', buffer: gzipSync(SLIPS) })
    await page.getByRole('button', { name: 'Convert' }).click()
    const failed = page.getByRole('group', { name: 'Values that failed' })
    await expect.poll(() => failed.locator('tbody tr').count()).toBe(1)
    expect(await failed.innerText()).toMatch(/A\*2:01\s+3 cells\s+A_2, A_1; lines 2, 3, 4/)
    // no word of the command line, and no name that stands alone as a sentence
    expect(await page.locator('main').innerText()).not.toMatch(/A\*02:01\.(?:\s|$)|--|column,column|help /)
    expect(await barriersOf(page)).toEqual([])
    await failed.getByRole('button', { name: 'Use A*02:01 for A*2:01 in 3 cells' }).click()
    await expect.poll(() => inner(page, '#corrections')).toContain('A*2:01 → A*02:01 in 3 cells.')
    await expect
      .poll(() => inner(page, '#converted dl.counts'))
      .toMatch(/rows\s+3\s+reduced\s+5\s+untyped\s+1$/)
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download').click()])
    expect(readFileSync(await download.path(), 'utf8')).toBe(
      'ID,A_1,A_1_lgx,A_2,A_2_lgx\n1,A*01:01,A*01:01,A*02:01,A*02:01\n2,"A*02:01",A*02:01,,\n3,A*24:02,A*24:02,A*02:01,A*02:01\n',
    )
    await page.getByRole('button', { name: 'Undo the corrections' }).click()
    await page.locator('#preview').getByRole('group', { name: 'Values that failed' }).waitFor()
    expect(await page.locator('#corrections').isVisible()).toBe(false)
  })

  test.for([
    ['A*01:01:01:01+A*02:AB^B*07:02+B*08:01', '#result'],
    ['A*01:01+A*2:1', '#verdict button'],
  ] as const)('the answer to %s is in view on a phone', async ([typing, answer]) => {
    const page = await visit('', { viewport: { width: 390, height: 664 }, hasTouch: true })
    await lookUp(page, typing)
    const isInView = () =>
      page.evaluate(`(() => {
        const { top, bottom } = document.querySelector('${answer}').getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })()`)
    await expect.poll(isInView).toBe(true)
    // so that the keyboard of the phone does not cover it
    expect(await page.evaluate('document.activeElement.id')).not.toBe('typing')
  })

  test.for(['after', 'replace', 'append'])(
    'marks the cells that fail, with why, and offers the report: results %s',
    async (into) => {
      const page = await visit()
      const table = 'ID,A_1,A_2,B_1,B_2\n1,01:01,02:01,07:02,08:01\n2,01:01,99:99,07:02,99:99\n'
      await page
        .getByLabel('CSV, TSV, workbook')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
      await page.locator('#into').selectOption(into)
      await page.getByRole('button', { name: 'Preview' }).click()
      const failed = page.locator('#preview td.failed')
      await failed.first().waitFor()
      const value = into === 'replace' ? '' : '99:99'
      expect(await failed.allTextContents()).toEqual([
        `${value}A*99:99 is not in IPD-IMGT/HLA 3.58.0.`,
        `${value}B*99:99 is not in IPD-IMGT/HLA 3.58.0.`,
      ])
      expect(await page.locator('#preview tbody tr').first().locator('td.failed').count()).toBe(0)
      expect(await barriersOf(page)).toEqual([])
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download the report of 2 failed cells' }).click(),
      ])
      expect(readFileSync(await download.path(), 'utf8').split('\n')).toHaveLength(4)
    },
  )
})
