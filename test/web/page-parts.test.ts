/** Parts of both pages in a real browser: what they are made of, where menus open, what keys and clicks do, and where the focus goes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../support/browser.ts'

const FOLDER = join(import.meta.dirname, '../../src/web/page')
const NAMES = ['menu', 'dialog', 'drop', 'elements']
const [WIDTH, HEIGHT] = [500, 400]

describe.skipIf(!hasChromium)('parts of a page', () => {
  let browser: Browser
  let script = ''

  beforeAll(async () => {
    const contents = NAMES.map((name) => `export * from './${name}.ts'`).join('\n')
    const stdin = { contents, resolveDir: FOLDER }
    const { outputFiles } = await build({ stdin, bundle: true, format: 'iife', globalName: 'parts', write: false })
    script = outputFiles.map(({ text }) => text).join('')
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })

  /** A page with the parts as `parts`, and a list `log` for what happens. */
  async function open(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } })
    const page = await context.newPage()
    await page.setContent('<!doctype html><title>x</title><body style="margin: 0"></body>')
    await page.addStyleTag({ content: readFileSync(join(FOLDER, 'page.css'), 'utf8') })
    await page.evaluate(`${script}; globalThis.parts = parts; globalThis.log = []`)
    return page
  }
  const log = (page: Page) => page.evaluate('log.splice(0)')
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent')
  const body = (page: Page) => page.evaluate('document.body.innerHTML')

  describe('a menu', () => {
    const opener = (page: Page) => page.locator('.opener')
    const list = (page: Page) => page.locator('.menu')
    const isOpen = (page: Page) => page.locator('.menu:popover-open').isVisible()

    /** A page with a menu button at this place. */
    async function openMenu(left: number, top: number): Promise<Page> {
      const page = await open()
      await page.evaluate(`
        const entries = ['one', 'two', 'three'].map((text) => ({ text, press: () => log.push(text) }))
        const area = parts.element('div', { id: 'area' }, parts.menuButton('More', 'Actions for x', () => entries))
        area.style = 'position: fixed; left: ${left}px; top: ${top}px'
        document.body.append(area, parts.element('input', { id: 'elsewhere', style: 'position: fixed; left: 0; top: 0; width: 20px; height: 8px' }))
        parts.opensMenu(area)
        parts.opensMenu(document.getElementById('elsewhere'))
        document.addEventListener('contextmenu', (event) => log.push(event.defaultPrevented))`)
      return page
    }
    async function boxes(page: Page) {
      const [button, menu] = await Promise.all([opener(page), list(page)].map((one) => one.boundingBox()))
      if (!button || !menu) throw new Error('not shown')
      return { button, menu }
    }

    test('opens below its button, within the window', async () => {
      const page = await openMenu(100, 50)
      await opener(page).click()
      const { button, menu } = await boxes(page)
      expect([menu.x, menu.y]).toEqual([100, button.y + button.height + 2])
      const place = async (left: number, top: number) => {
        await page.keyboard.press('Escape')
        await page.evaluate(`document.getElementById('area').style = 'position: fixed; left: ${left}px; top: ${top}px'`)
        await opener(page).click()
        return (await boxes(page)).menu
      }
      expect(await place(0, 50)).toMatchObject({ x: 4 })
      expect(await place(4, 50)).toMatchObject({ x: 4 })
      const rightmost = WIDTH - 4 - menu.width
      expect(await place(Math.floor(rightmost), 50)).toMatchObject({ x: Math.floor(rightmost) })
      expect((await place(WIDTH - button.width, 50)).x).toBeCloseTo(rightmost, 0)
      // above it where there is no room below
      const lowest = HEIGHT - button.height - menu.height
      expect((await place(100, lowest - 1)).y).toBeCloseTo(lowest - 1 + button.height + 2, 3)
      expect((await place(100, lowest)).y).toBeCloseTo(lowest - menu.height - 2, 3)
      await page.setViewportSize({ width: WIDTH, height: 150 })
      expect(await place(100, 60)).toMatchObject({ y: 4 })
    })

    test('is walked through with the arrow keys, and closed with Escape', async () => {
      const page = await openMenu(100, 50)
      expect(await opener(page).evaluate((one) => (one as unknown as { parentElement: { innerHTML: string } }).parentElement.innerHTML)).toBe(
        '<button type="button" class="opener" aria-label="Actions for x" aria-expanded="false">More</button><div popover="auto" class="menu" role="group" aria-label="Actions for x"></div>',
      )
      await opener(page).click()
      await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('true')
      expect(await list(page).evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML)).toBe(
        ['one', 'two', 'three'].map((text) => `<button type="button">${text}</button>`).join(''),
      )
      expect(await focused(page)).toBe('one')
      for (const [key, text] of [['ArrowDown', 'two'], ['ArrowDown', 'three'], ['ArrowDown', 'one'], ['ArrowUp', 'three'], ['ArrowUp', 'two'], ['x', 'two']] as const) {
        await page.keyboard.press(key)
        expect([key, await focused(page)]).toEqual([key, text])
      }
      await page.keyboard.press('Escape')
      await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false')
      expect([await isOpen(page), await focused(page), await log(page)]).toEqual([false, 'More', []])
    })

    test('closes before what is chosen happens, and when something else is clicked', async () => {
      const page = await openMenu(100, 50)
      await opener(page).click()
      await list(page).getByText('two').click()
      expect([await isOpen(page), await log(page)]).toEqual([false, ['two']])
      await opener(page).click()
      await page.locator('#elsewhere').click()
      await expect.poll(() => opener(page).getAttribute('aria-expanded')).toBe('false')
      expect([await isOpen(page), await page.evaluate('document.activeElement.id')]).toEqual([false, 'elsewhere'])
    })

    test('opens where its area is clicked with the right button', async () => {
      const page = await openMenu(100, 50)
      await page.mouse.click(107, 57, { button: 'right' })
      const { menu } = await boxes(page)
      expect([menu.x, menu.y]).toEqual([107, 57 + 2])
      expect([await focused(page), await log(page)]).toEqual(['one', [true]])
      await page.keyboard.press('Escape')
      // an area without a menu has that of the browser
      await page.locator('#elsewhere').click({ button: 'right' })
      expect([await isOpen(page), await log(page)]).toEqual([false, [false]])
    })
  })

  describe('a dialog', () => {
    const openDialog = (page: Page, action: string) =>
      page.evaluate(`globalThis.made = parts.openDialog('Title', ['text'], ${action}, () => log.push('closed'))`)
    const main = (page: Page) => page.locator('button.main')
    const failure = (page: Page) => page.locator('[role=alert]').textContent()

    test('does what is confirmed, and is closed and gone', async () => {
      const page = await open()
      await openDialog(page, `{ text: 'Do', act: () => new Promise((resolve) => { log.push('act'); globalThis.end = resolve }) }`)
      expect(await body(page)).toBe(
        '<dialog aria-labelledby="dialog-title" open=""><form><h2 id="dialog-title" tabindex="-1">Title</h2>text<p class="problem" role="alert"></p><div class="row"><button class="main">Do</button><button type="button">Cancel</button></div></form></dialog>',
      )
      await main(page).click()
      expect([await main(page).isDisabled(), await log(page)]).toEqual([true, ['act']])
      await page.evaluate('end()')
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual(['closed'])
    })

    test('shows why it failed, and stays', async () => {
      const page = await open()
      await openDialog(page, `{ text: 'Do', act: async () => { if (log.push('act') === 1) throw new Error('no room'); if (log.length === 2) throw 'no text'; await new Promise(() => {}) } }`)
      for (const said of ['no room', 'no text']) {
        await main(page).click()
        await expect.poll(() => failure(page)).toBe(said)
        expect(await main(page).isDisabled()).toBe(false)
      }
      await main(page).click()
      expect([await failure(page), await main(page).isDisabled()]).toEqual(['', true])
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual(['act', 'act', 'act', 'closed'])
    })

    test('does nothing that is not possible', async () => {
      const page = await open()
      await openDialog(page, `{ text: 'Do', act: () => Promise.reject(new Error('no')), isDisabled: () => globalThis.isFull !== true }`)
      expect(await main(page).isDisabled()).toBe(true)
      await page.evaluate('globalThis.isFull = true; made.refresh()')
      await main(page).click()
      await expect.poll(() => failure(page)).toBe('no')
      expect(await main(page).isDisabled()).toBe(false)
      await page.evaluate('globalThis.isFull = false; made.refresh()')
      expect(await main(page).isDisabled()).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual(['closed'])
    })

    test('that only shows something is closed', async () => {
      const page = await open()
      await page.evaluate(`void parts.openNote('Title', [parts.hint('text')], () => log.push('closed'))`)
      expect(await body(page)).toBe(
        '<dialog aria-labelledby="dialog-title" open=""><h2 id="dialog-title" tabindex="-1">Title</h2><p class="hint">text</p><div class="row"><button type="button">Close</button></div></dialog>',
      )
      expect(await focused(page)).toBe('Title')
      await page.getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual(['closed'])
    })

    test('asks for a name, without spaces around it', async () => {
      const page = await open()
      const asked = { title: 'Rename', label: 'Name', verb: 'Do', value: 'old name' }
      await page.evaluate(`parts.askName(${JSON.stringify(asked)}, async (name) => void log.push(name))`)
      expect(await page.locator('form').evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML)).toBe(
        '<h2 id="dialog-title" tabindex="-1">Rename</h2><p class="asked"><label for="asked-name">Name</label><input id="asked-name" required="" autocomplete="off" value="old name"></p><p class="problem" role="alert"></p><div class="row"><button class="main">Do</button><button type="button">Cancel</button></div>',
      )
      // what is there is replaced
      await page.keyboard.type('  new name ')
      await page.keyboard.press('Enter')
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual(['new name'])
      await page.evaluate(`parts.askName({ title: 'New', label: 'Name', verb: 'Do' }, async (name) => void log.push(name))`)
      expect(await page.locator('#asked-name').inputValue()).toBe('')
      // a name is needed
      await page.keyboard.press('Enter')
      expect([await page.locator('dialog').isVisible(), await log(page)]).toEqual([true, []])
    })

    test.for([
      ['Delete', true],
      ['Cancel', false],
    ] as const)('%s means %s', async ([name, isWanted]) => {
      const page = await open()
      await page.evaluate(`void parts.confirmed('Delete it?', 'It is gone then.', 'Delete').then((one) => log.push(one))`)
      expect(await page.locator('form').textContent()).toBe('Delete it?It is gone then.DeleteCancel')
      await page.getByRole('button', { name }).click()
      await expect.poll(() => body(page)).toBe('')
      expect(await log(page)).toEqual([isWanted])
    })
  })

  test('an area takes files that are dropped on it', async () => {
    const page = await open()
    await page.evaluate(`
      globalThis.area = parts.element('div', { class: 'area' })
      parts.takeDrops(area, (files) => log.push([...files].map(({ name }) => name).join()))
      globalThis.send = (type, ...names) => {
        const dataTransfer = new DataTransfer()
        for (const name of names) dataTransfer.items.add(new File(['x'], name))
        const event = new DragEvent(type, { dataTransfer, cancelable: true })
        area.dispatchEvent(event)
        return [event.defaultPrevented, area.className]
      }`)
    const sent = await page.evaluate(`[send('dragenter'), send('dragleave'), send('dragover'), send('drop', 'a.csv', 'b.csv'), send('dragover'), send('drop'), area.dispatchEvent(new DragEvent('drop'))]`)
    expect(sent).toEqual([
      [true, 'area over'],
      [false, 'area'],
      [true, 'area over'],
      [true, 'area'],
      [true, 'area over'],
      [true, 'area'],
      true,
    ])
    expect(await log(page)).toEqual(['a.csv,b.csv'])
  })

  const MADE = [
    [`element('p', { id: 'a', class: undefined, hidden: false, lang: '', inert: true }, '<b>', undefined, parts.element('i'))`, '<p id="a" lang="" inert="">&lt;b&gt;<i></i></p>'],
    [`button('Press', () => {}, { class: 'small', type: 'submit' })`, '<button type="submit" class="small">Press</button>'],
    [`icon('file', 'M1 2')`, '<svg viewBox="0 0 24 24" class="icon file" aria-hidden="true"><path d="M1 2"></path></svg>'],
    [`labelled('a', 'Name', parts.element('input', { id: 'a' }))`, '<span class="field"><label for="a">Name</label><input id="a"></span>'],
    [`hint('why')`, '<p class="hint">why</p>'],
    [`formFor(() => {}, { class: 'row' }, 'a', undefined)`, '<form class="row">a</form>'],
    [`choice({ id: 'c' }, [['a', 'one'], ['b', 'two']], 'b')`, '<select id="c"><option value="a">one</option><option value="b" selected="">two</option></select>'],
    [`choice({}, new Map([['a', 'one']]))`, '<select><option value="a">one</option></select>'],
    [
      `table('All', ['Name', { title: 'Size', style: 'number', sorter: parts.hint('sort'), sorted: 'ascending' }, { title: 'Last' }], [['a', '1', 'x', 'more'], ['b']])`,
      '<div class="scroll" tabindex="0" role="group" aria-label="All"><table><caption><h3>All</h3></caption><thead><tr><th scope="col">Name</th><th scope="col" aria-sort="ascending"><p class="hint">sort</p></th><th scope="col">Last</th></tr></thead><tbody><tr><th scope="row" data-title="Name">a</th><td class="number" data-title="Size">1</td><td data-title="Last">x</td><td>more</td></tr><tr><th scope="row" data-title="Name">b</th></tr></tbody></table></div>',
    ],
    [`table('All', ['a', 'b', 'c', 'd'], [])`, '<div class="scroll" tabindex="0" role="group" aria-label="All"><table class="titled"><caption><h3>All</h3></caption><thead><tr><th scope="col">a</th><th scope="col">b</th><th scope="col">c</th><th scope="col">d</th></tr></thead><tbody></tbody></table></div>'],
  ] as const

  test('elements have their attributes and children', async () => {
    const page = await open()
    for (const [made, markup] of MADE) expect(await page.evaluate(`parts.${made}.outerHTML`)).toBe(markup)
  })

  test('a button and a form call what they are for; a part that is missing is named', async () => {
    const page = await open()
    await page.evaluate(`
      const form = parts.formFor(() => log.push('sent'), {}, parts.element('button', { id: 'send' }, 'Send'))
      document.body.append(parts.button('Press', () => log.push('pressed')), form)`)
    await page.getByText('Press').click()
    await page.getByText('Send').click()
    expect([await log(page), page.url()]).toEqual([['pressed', 'sent'], 'about:blank'])
    const found = await page.evaluate(`
      const tried = (run) => { try { return run().id } catch (error) { return error.message } }
      ;[tried(() => parts.part('send')), tried(() => parts.byId('send', HTMLButtonElement)), tried(() => parts.byId('send', HTMLInputElement)), tried(() => parts.part('none'))]`)
    expect(found).toEqual(['send', 'send', 'the page has no HTMLInputElement send', 'the page has no HTMLElement none'])
  })
}) // prettier-ignore
