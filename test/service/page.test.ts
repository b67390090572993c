/**
 * The page in a real browser: its display, its use by keyboard alone, and that it sends requests only to its own
 * service.
 */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ANTIGEN_LEVELS } from '../../src/engine/options.ts'
import { type Knowledge, makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import type { ServiceOptions } from '../../src/service/options.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { barriersOf, hasChromium, openBrowser, visitPage } from '../support/browser.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { callHla } from '../support/call-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
let browser: Browser
const open: Service[] = []
const full = () => makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
/** Errors and warnings of a page. */
const complaints: string[] = []

describe.skipIf(!hasChromium)('the page', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await Promise.all(open.splice(0).map((service) => service.drain({ delay: 0, patience: 0 })))
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
  })

  async function listening(
    knowledge: Knowledge = makeKnowledge(openStarter()),
    options: Partial<ServiceOptions> = {},
  ): Promise<string> {
    const service = openService(knowledge, options)
    open.push(service)
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = service.app.server.address() as AddressInfo // a TCP server's address is an object
    return `http://127.0.0.1:${port}/`
  }

  const visit = (url: string, options?: BrowserContextOptions) => visitPage(browser, url, complaints, options)

  async function lookUp(page: Page, typing: string): Promise<void> {
    await page.getByLabel('Typing', { exact: true }).fill(typing)
    await page.keyboard.press('Enter')
    await page.locator('#typing-status:is(.heard, .failed)').waitFor({ state: 'attached' })
  }

  const text = (page: Page, selector: string) => page.locator(selector).innerText()

  /** The result of one method on the page: shown large, or folded. */
  const resultOf = async (page: Page, method: string) => {
    const row = page.locator('#methods tr', { has: page.locator('th', { hasText: `(${method})` }) })
    const isChosen = (await page.locator('#answer h3').textContent())?.includes(`(${method})`) === true
    return (isChosen ? page.locator('#answer > p').first() : row.locator('td').first()).textContent()
  }

  test('says which release answers, and that the starter set is not everything', async () => {
    const page = await visit(await listening())
    await page.getByText('starter set of IPD-IMGT/HLA 3.58.0').waitFor()
    expect(await text(page, '#starter')).toContain('hla data install 3.58.0')
  })

  test('shows a typing by every method, its codes, its antigens and why', async () => {
    const page = await visit(await listening())
    await lookUp(page, 'A*01:01:01:01+A*02:AB')
    expect(await text(page, '#verdict')).toContain('Valid in 3.58.0')
    expect(await resultOf(page, 'lgx')).toBe('A*01:01+A*02:01/A*02:02')
    expect(await resultOf(page, 'S')).toBe('A1+A2')
    // the answer is large, the other results are folded
    expect(await text(page, '#result')).toBe('A*01:01+A*02:01/A*02:02')
    // this service has one release
    expect(await page.getByText('In another release').isHidden()).toBe(true)
    expect(await page.locator('#meaning details[open]').count()).toBe(0)
    await page.getByText('Codes', { exact: true }).click()
    expect(await text(page, '#codes')).toContain('A*02:01 A*02:02')
    await page.getByText('Why this result').click()
    expect(await text(page, '#explanation')).toContain('lgx uses the G group')
    await page.locator('#method').selectOption('S')
    await expect.poll(() => text(page, '#explanation')).not.toContain('lgx uses')
    expect(await text(page, '#result')).toBe('A1+A2')
    expect(await page.locator('#explanation details').getAttribute('open')).not.toBeNull()
  })

  test.skipIf(!hasShared)('shows broad and split antigens, and the code of a list', async () => {
    const page = await visit(await listening(full()))
    await lookUp(page, 'A*25:01')
    await page.getByText('Antigens and DRBX').click()
    expect(await text(page, '#antigens')).toMatch(/A25\s+A10\s+A25 A26 A34 A66/)
    await lookUp(page, 'A*01:01/A*01:02')
    await page.getByText('Codes', { exact: true }).click()
    expect(await text(page, '#codes')).toContain('A*01:AB')
  })

  test.for([
    ['A*01:01+', ['+'], 'Not a GL String', 'Nothing after the last "+" (character 8)'],
    ['A*01:01^^B*07:02', ['^'], 'Not a GL String', 'Nothing between "^" and "^" (character 8)'],
    ['A*01:01+<b>A*1</b>', ['<b>A*1<', '>'], 'Not a GL String', 'This is XML'],
    ['A*01:01+A*99:99', ['A*99:99'], 'Cannot be answered here', 'starter set (characters 9 to 15)'],
  ] as const)('marks what is wrong in %s', async ([typing, wrong, verdict, why]) => {
    const page = await visit(await listening())
    await lookUp(page, typing)
    expect(await text(page, '#echo')).toBe(typing)
    expect(await page.locator('#echo mark').allInnerTexts()).toEqual(wrong)
    expect(await text(page, '#verdict')).toContain(verdict)
    expect(await text(page, '#verdict')).toContain(why)
    expect(await page.locator('#methods table').count()).toBe(0)
  })

  test.skipIf(!hasShared)('takes a suggestion at a press', async () => {
    const page = await visit(await listening(full()))
    await lookUp(page, 'A*01:01+A*2:1')
    await page.getByRole('button', { name: /^Use / }).first().click()
    await page.getByText('Valid in 3.58.0').first().waitFor()
    expect(await page.getByLabel('Typing', { exact: true }).inputValue()).toBe('A*01:01+A*02:01')
  })

  test('reads careless spellings when asked, and says what it read', async () => {
    const page = await visit(await listening())
    await page.getByLabel('Correct small slips').first().check()
    await lookUp(page, 'a*1:1')
    expect(await resultOf(page, 'lgx')).toBe('A*01:01')
  })

  const DONORS = 'ID,A_1,A_2,B_1,B_2,note\n1,01:01,02:01,07:02,08:01,"x, y"\n2,01:AB,,99:99,44:02,é\n'

  test.for([
    ['donors.csv', (table: string) => Buffer.from(table)],
    ['donors.csv.gz', (table: string) => gzipSync(table)],
  ] as const)('converts %s to the bytes of the command line', async ([name, packed]) => {
    const file = temp(name)
    writeFileSync(file, packed(DONORS))
    const page = await visit(await listening())
    await page.getByLabel('CSV, TSV, workbook').setInputFiles(file)
    await page.getByRole('checkbox', { name: '(G)' }).check()
    await page.getByRole('button', { name: 'Convert' }).click()
    const link = page.getByRole('link', { name: 'Download donors.G-lgx.csv' })
    await link.waitFor()
    expect(await text(page, '#converted dl.counts')).toMatch(
      /rows\s+2\s+reduced\s+6\s+untyped\s+1\s+failed\s+1/,
    )
    expect(await text(page, '#converted table.titled')).toContain('99:99')
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    await callHla(
      ['redux', '-q', '-r', 'starter', '-m', 'G', '-m', 'lgx', '-i', file, '-o', temp('out.csv')],
      {
        cwd: temp('.'),
      },
    )
    expect(readFileSync(await download.path(), 'utf8')).toBe(readFileSync(temp('out.csv'), 'utf8'))
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the report of 1 failed cell' }).click(),
    ])
    // the same cells and messages, but advice is phrased for the page
    const withoutAdvice = (csv: string) => csv.replaceAll(/,[^,\n]*$/gm, '')
    expect(withoutAdvice(readFileSync(await report.path(), 'utf8'))).toBe(
      withoutAdvice(readFileSync(temp('out.csv.errors.csv'), 'utf8')),
    )
  })

  test('takes a file that is dropped, and sends it when told', async () => {
    const page = await visit(await listening())
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(DONORS)}], 'dropped.csv'))
      return data
    })()`)
    await page.locator('#drop').dispatchEvent('drop', { dataTransfer: dropped })
    expect(await text(page, '#table-status')).toBe('')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Download dropped.lgx.csv' }).waitFor()
  })

  test('says why a file is not a table', async () => {
    const page = await visit(await listening())
    await page
      .getByLabel('CSV, TSV, workbook')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    complaints.length = 0
    await page.getByRole('button', { name: 'Convert' }).click()
    await expect.poll(() => text(page, '#table-status')).toContain('No typing columns found in a.csv')
    expect(await page.locator('#converted').isHidden()).toBe(true)
    // the browser logs every unsuccessful answer to its console
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')])
  })

  test('asks for a token where one is needed', async () => {
    const page = await visit(await listening(undefined, { tokens: ['secret'] }))
    await page.getByLabel('This service asks for a token').waitFor()
    expect(await text(page, '#release')).toBe('Enter the token of this service first.')
    await page.getByLabel('This service asks for a token').fill('secret')
    await page.keyboard.press('Enter')
    await lookUp(page, 'A*01:01')
    expect(await resultOf(page, 'lgx')).toBe('A*01:01')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
  })

  test('is used without a mouse', async () => {
    const file = temp('keys.csv')
    writeFileSync(file, DONORS)
    const page = await visit(await listening())
    page.on('filechooser', (chooser) => void chooser.setFiles(file))
    const focused = () =>
      page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the typing')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Look up')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('A*01:01+A*02:01')
    await page.keyboard.press('Enter')
    await page.getByText('Valid in 3.58.0').first().waitFor()
    expect(await focused()).toBe('typing')
    const order: unknown[] = []
    while (order.at(-1) !== 'convert') {
      await page.keyboard.press('Tab')
      order.push(await focused())
      if (order.at(-1) !== 'file') continue
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByLabel('CSV, TSV, workbook').inputValue()).toContain('keys.csv')
    }
    expect(
      order.filter((id) => ['lenient', 'method', 'file', 'into', 'on-error', 'convert'].includes(String(id))),
    ).toEqual(['lenient', 'method', 'file', 'into', 'on-error', 'convert'])
    await page.keyboard.press('Enter')
    await page.locator('#download').waitFor()
    expect(await focused()).toBe('download')
  })

  describe.for(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test.for(['', 'docs'])('"/%s" has no barriers that a program finds', async (path) => {
      const url = await listening()
      const page = await visit(url + path, { colorScheme })
      if (path === '') await showEverything(page)
      else await openAllRoutes(page)
      expect(await barriersOf(page)).toEqual([])
    })
  })

  async function openAllRoutes(page: Page): Promise<void> {
    await page.locator('.route').first().waitFor()
    for (const route of await page.locator('.route').all()) await route.locator('summary').click()
  }

  async function showEverything(page: Page): Promise<void> {
    await page
      .getByLabel('CSV, TSV, workbook')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(DONORS) })
    await page.getByRole('button', { name: 'Convert' }).click()
    await page.locator('#download').waitFor()
    await lookUp(page, 'A*01:01+A*99:99')
    await lookUp(page, 'A*01:01+A*02:AB^B*07:02/B*08:01+B*08:01')
    for (const summary of await page.locator('summary:visible').all()) await summary.click()
  }

  test('fits a narrow window', async () => {
    const page = await visit(await listening(), { viewport: { width: 320, height: 700 } })
    await showEverything(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  })

  const level = (page: Page, id = 'antigen-level') => page.locator(`#${id}`).inputValue()

  test.skipIf(!hasShared)('answers S at the level that is chosen, and keeps it in the link', async () => {
    const url = await listening(full())
    const page = await visit(url)
    await lookUp(page, 'A*24:03')
    expect(await resultOf(page, 'S')).toBe('A9/A24/A2403')
    await page.locator('#method').selectOption('S')
    await page.getByText('Why this result').click()
    for (const [chosen, answer] of [
      ['associated', 'A2403'],
      ['split', 'A24'],
      ['broad', 'A9'],
    ] as const) {
      await page.locator('#antigen-level').selectOption(chosen)
      await expect.poll(() => resultOf(page, 'S')).toBe(answer)
      expect(await text(page, '#explanation')).toMatch(new RegExp(`result\\s+${answer}\\nverdict`))
      expect(await resultOf(page, 'lgx')).toBe('A*24:03')
      expect(page.url()).toBe(`${url}?gl=A*24:03&m=S&antigens=${chosen}`)
    }
    await page.reload()
    expect([await level(page), await level(page, 'table-antigen-level')]).toEqual(['broad', 'broad'])
    await lookUp(page, 'A*24:03')
    await expect.poll(() => resultOf(page, 'S')).toBe('A9')
    await page.locator('#antigen-level').selectOption('usual')
    await expect.poll(() => resultOf(page, 'S')).toBe('A9/A24/A2403')
    expect(page.url()).toBe(`${url}?gl=A*24:03&m=S`)
  })

  test.skipIf(!hasShared)(
    'converts a table at the level of the link, and offers it where S is chosen',
    async () => {
      const file = temp('antigens.csv')
      writeFileSync(file, 'ID,A_1,A_2\n1,24:03,02:01\n')
      const page = await visit(`${await listening(full())}?antigens=split#table-title`)
      const choice = page.locator('#table-antigen-level')
      expect(await choice.isVisible()).toBe(false)
      await page.getByRole('checkbox', { name: '(lgx)' }).uncheck()
      const box = page.getByRole('checkbox', { name: '(S)' })
      await box.focus()
      await page.keyboard.press('Space')
      expect([await choice.isVisible(), await level(page, 'table-antigen-level')]).toEqual([true, 'split'])
      await page.getByLabel('CSV, TSV, workbook').setInputFiles(file)
      const convert = async () => {
        await page.getByRole('button', { name: 'Convert' }).click()
        await page.getByRole('link', { name: 'Download antigens.S.csv' }).waitFor()
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.locator('#download').click(),
        ])
        return readFileSync(await download.path(), 'utf8')
      }
      expect(await convert()).toBe('ID,A_1,A_1_S,A_2,A_2_S\n1,24:03,A24,02:01,A2\n')
      await box.focus()
      while ((await page.evaluate('document.activeElement.id')) !== 'table-antigen-level') {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('b')
      await expect.poll(() => level(page)).toBe('broad')
      expect(new URL(page.url())).toMatchObject({ search: '?antigens=broad', hash: '#table-title' })
      expect(await convert()).toBe('ID,A_1,A_1_S,A_2,A_2_S\n1,24:03,A9,02:01,A2\n')
      expect(await barriersOf(page)).toEqual([])
      await box.uncheck()
      expect(await choice.isVisible()).toBe(false)
    },
  )

  test('offers every level there is, and says that a link asks for another', async () => {
    const url = await listening()
    const page = await visit(`${url}?antigens=narrow`)
    expect(await text(page, '#typing-status')).toBe('The link asks for antigens "narrow", and there is no such level. S has the usual antigens.')
    for (const id of ['antigen-level', 'table-antigen-level']) {
      const values = await page.evaluate(`[...document.getElementById('${id}').options].map(({ value }) => value)`)
      expect(values).toEqual(ANTIGEN_LEVELS)
      expect(await level(page, id)).toBe('usual')
    }
    // only S has antigens
    expect(await page.locator('#antigen-level').isVisible()).toBe(false)
    await page.locator('#method').selectOption('S')
    await page.locator('#antigen-level').selectOption('broad')
    await lookUp(page, 'A*01:01')
    // the starter set has no relations, and its message says so
    expect(await resultOf(page, 'S')).toContain('starter set')
    expect(await resultOf(page, 'lgx')).toBe('A*01:01')
  }) // prettier-ignore

  test('offers the methods methods available in the release, and says that a link asks for another', async () => {
    const url = await listening()
    const page = await visit(`${url}?gl=A*01:01&m=hats`)
    await expect.poll(() => text(page, '#typing-status')).toBe('The link asks for method "hats", and the release does not have it. lgx is chosen instead.')
    expect(await page.locator('#method option').allTextContents()).not.toContain('hats')
    expect(await page.getByRole('checkbox', { name: 'hats' }).count()).toBe(0)
    expect(await page.getByRole('checkbox', { name: '(1F)' }).count()).toBe(1)
    expect(await page.locator('#meaning').isVisible()).toBe(false)
    await lookUp(page, 'A*01:01')
    expect(await text(page, '#result')).toBe('A*01:01')
  }) // prettier-ignore

  test('an address where there is no page leads back', async () => {
    const page = await visit(`${await listening()}nope/deeper`)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Read which requests' }).click()
    await page.locator('.route').first().waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Look up a typing' }).click()
    await page.getByText('starter set of IPD-IMGT/HLA 3.58.0').waitFor()
    // the browser repeats the error after going back
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
  })

  test('describes every route of /openapi.json, each to be tried', async () => {
    const url = await listening()
    const page = await visit(`${url}docs#redux`)
    await page.locator('.route').first().waitFor()
    const { paths } = (await (await fetch(`${url}openapi.json`)).json()) as { paths: Record<string, object> }
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length
    expect(await page.locator('.route').count()).toBe(count)
    expect(await text(page, '#redux pre')).toContain(`curl '${url}redux'`)
    expect(await text(page, '#redux table.titled')).toMatch(
      /options\.antigens\s+no\s+usual \| associated \| split \| broad/,
    )
    const body = page.locator('#redux').getByLabel('Body (application/json)', { exact: true })
    await body.fill('{"gl_string":"A*01:01:01:01","reduction_method":"lgx"}')
    await page.getByRole('button', { name: 'Send POST redux' }).click()
    await page.locator('#redux').getByText('"ard": "A*01:01"').waitFor()
    await body.fill('{"gl_string":"A*01:01:"}')
    await page.getByRole('button', { name: 'Send POST redux' }).click()
    await page.locator('#redux').getByText('"code": "bad-request"').waitFor()
    // every sample has an answer, or names the data missing here
    await page.evaluate("document.querySelectorAll('.route').forEach((route) => (route.open = true))")
    await expect.poll(() => page.locator('.try').count()).toBe(count)
    for (const form of await page.locator('.try').all()) await form.getByRole('button').click()
    const statuses = () => page.locator('.try [role=status] > p').allInnerTexts()
    await expect.poll(async () => (await statuses()).length, { timeout: 20_000 }).toBe(count)
    expect((await statuses()).filter((said) => !/^(?:200|404|400|422|501) /.test(said))).toEqual([])
    expect(complaints.splice(0).every((said) => said.includes('Failed to load'))).toBe(true)
  })

  test('shows each request in the language that is chosen, as it runs', async () => {
    const url = await listening()
    const page = await visit(`${url}docs#validate`)
    const example = page.locator('#validate pre').first()
    await example.waitFor()
    const run = async (language: string, program: string, ...args: string[]) => {
      await page.getByLabel(language, { exact: true }).check()
      const code = await example.innerText()
      return (await promisify(execFile)(program, [...args, code])).stdout
    }
    expect(await run('curl', 'bash', '-c')).toContain('"valid":true')
    expect(await run('JavaScript', process.execPath, '--input-type=module', '-e')).toContain('valid: true')
    await page.getByLabel('R', { exact: true }).check()
    expect(await example.innerText()).toContain('req_body_raw(')
    await page.getByLabel('Python', { exact: true }).check()
    expect(await example.innerText()).toContain('json={"gl_string":"A*01:01+A*02:01"}')
    if (spawnSync('python3', ['-c', 'import requests']).status === 0)
      expect(await run('Python', 'python3', '-c')).toContain("'valid': True")
  })
})
