/** What the page asks, and every text of what it shows, in a real browser: the answers of the service are made here, one of each kind. */
import type { AddressInfo } from 'node:net'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService, type Service } from '../../src/service/service.ts'
import { hasChromium, emptyPage, openBrowser } from '../support/browser.ts'

interface Question {
  readonly op: string
  readonly [name: string]: unknown
}
type Answer = (question: Question) => unknown

const VERSION = {
  release: '3.58.0',
  methods: ['G', 'lgx', 'S'],
  releases: ['3.58.0', '3.29.0', '3.30.0'],
  loci: ['A', 'B'],
  dataset: 'full',
  mac_codes: 1_234_567,
  mac_date: '2026-01-31',
  hla_version: '9.8.7',
  data_id: '3.58.0+0123',
}
const failure = (message: string, more: object = {}) => ({ error: { code: 'made', message, suggestions: [], ...more } }) // prettier-ignore

describe.skipIf(!hasChromium)('the page with made answers', () => {
  let browser: Browser
  let service: Service
  let url = ''
  const complaints: string[] = []
  /** Questions of each request. */
  const asked: Question[][] = []

  beforeAll(async () => {
    browser = await openBrowser()
    service = openService(makeKnowledge(openStarter()))
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
    asked.length = 0
    if (complaints.length > 0) throw new Error(complaints.splice(0).join('\n'))
  })

  async function visit(answer: Answer, search = '', version: object = VERSION): Promise<Page> {
    const page = await emptyPage(browser, url, complaints)
    await page.route('**/version', (route) => route.fulfill({ json: version }))
    await page.route('**/batch', (route) => {
      const lines = (route.request().postData() ?? '').split('\n')
      const questions = lines.map((line) => JSON.parse(line) as Question)
      asked.push(questions)
      return route.fulfill({ body: questions.map((one) => `${JSON.stringify(answer(one))}\n`).join('') })
    })
    await page.goto(url + search)
    return page
  }
  const box = (page: Page) => page.getByLabel('Typing', { exact: true })
  const markup = (page: Page, id: string) => page.locator(`#${id}`).evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML) // prettier-ignore
  const text = (page: Page, id: string) => page.locator(`#${id}`).textContent()

  async function lookUp(page: Page, typing: string): Promise<void> {
    await box(page).fill(typing)
    await page.keyboard.press('Enter')
    await page.locator('#typing-status:is(.heard, .failed)').waitFor({ state: 'attached' })
  }

  /** Tables below an element: caption, heads, and the markup of each cell, without its spans and break opportunities. */
  const tables = (page: Page, id: string) =>
    page.locator(`#${id}`).evaluate((root) => {
      interface Made extends Iterable<Made> {
        readonly innerHTML: string
        readonly textContent: string
        querySelector(selector: string): Made | null
        querySelectorAll(selector: string): Iterable<Made>
      }
      const all = (one: Made, selector: string) => [...one.querySelectorAll(selector)]
      return all(root as unknown as Made, 'table').map((one) => ({
        caption: one.querySelector('caption')?.textContent,
        heads: all(one, 'thead th').map((cell) => cell.textContent),
        rows: all(one, 'tbody tr').map((row) =>
          all(row, 'th, td').map((cell) => cell.innerHTML.replaceAll(/<wbr>|<span>|<\/span>$/g, '')),
        ),
      }))
    })

  const GENOTYPE = 'A*01:AB+A*02:01/A*02:02^DRB1*03:01^DRB3*01:01'
  const REDUCED: Answer = ({ op, gl_string: typing, reduction_method: method, allele, direction }) => {
    switch (op) {
      case 'validate':
        return { valid: true, malformed: false, verdict: 'valid', notes: [{ message: 'first note' }, { message: 'second note' }] } // prettier-ignore
      case 'redux':
        if (method === 'G') return failure('no such group', { hint: 'unseen' })
        return { ard: method === 'S' ? 'A1/A2+B7^DR3|A1~DR52?A9' : `${String(typing)}x` }
      case 'explain':
        return {
          gl_string: typing,
          steps: [
            { leaf: 'A*01:AB', title: 'parse', text: 'a code' },
            { leaf: 'A*01:AB', title: 'known', text: 'from a file', file: 'a.txt', line: 3 },
            { leaf: 'A*02:01', title: 'known', text: 'from b.txt:4 too', file: 'b.txt', line: 4 },
            { leaf: typing, title: '+', text: 'both', file: 'c.txt', line: 5 },
          ],
        }
      case 'mac':
        if (direction === 'lookup') return { direction, mac: 'A*02:AB' }
        return { direction, alleles: ['A*01:01', 'A*01:02'] }
      case 'cwd':
        if (typing === 'DRB1*03:01') return failure('nothing is known of it')
        return { cwd: `${String(typing)}c`, cwd_mac: 'A*01:AC', catalogue: 'CWD 9' }
      case 'blend':
        return { DRBX_blend: 'DRB3*01:01+DRB4*01:01' }
      case 'splits':
        if (allele === 'A2' || allele === 'B7') return failure('no splits')
        return { allele, broad: `${String(allele)}b`, splits: [`${String(allele)}s`, `${String(allele)}t`] }
      default:
        throw new Error(op)
    }
  }

  test('asks everything about a typing in one request, then its antigens, and shows every part', async () => {
    const page = await visit(REDUCED, '?m=S&antigens=broad&accept=all')
    await lookUp(page, GENOTYPE)
    const accept = ['all']
    const redux = (typing: string) => [
      { op: 'redux', gl_string: typing, reduction_method: 'G', accept },
      { op: 'redux', gl_string: typing, reduction_method: 'lgx', accept },
      { op: 'redux', gl_string: typing, reduction_method: 'S', accept, options: { antigens: 'broad' } },
    ]
    expect(asked).toEqual([
      [
        { op: 'validate', gl_string: GENOTYPE },
        { op: 'explain', gl_string: GENOTYPE, reduction_method: 'S', accept, options: { antigens: 'broad' } },
        ...redux(GENOTYPE),
        ...redux('A*01:AB+A*02:01/A*02:02'),
        ...redux('DRB1*03:01'),
        ...redux('DRB3*01:01'),
        { op: 'mac', gl_string: 'A*01:AB', direction: 'expand', xx: true },
        { op: 'mac', gl_string: 'A*02:01/A*02:02', direction: 'lookup' },
        ...['A*01:AB', 'A*02:01/A*02:02', 'DRB1*03:01', 'DRB3*01:01'].map((one) => ({ op: 'cwd', gl_string: one, accept })),
        { op: 'blend', DRB1_SLUG: 'DRB1*03:01', DRB3: 'DRB3*01:01', DRB4: '', DRB5: '' },
      ],
      ['A1', 'A2', 'B7', 'DR3', 'DR52', 'A9'].map((allele) => ({ op: 'splits', allele })),
    ]) // prettier-ignore
    expect(await text(page, 'typing-status')).toBe('Valid in 3.58.0. 2 of 3 methods answer.')
    expect(await page.locator('#verdict').getAttribute('class')).toBe('verdict valid')
    expect(await markup(page, 'verdict')).toBe(
      `<p class="title">Valid in 3.58.0</p><p class="echo" id="echo">${GENOTYPE}</p><ul hidden=""></ul><p class="hint">Note: First note.</p><p class="hint">Note: Second note.</p>`,
    )
    expect(await markup(page, 'answer')).toBe(
      '<h3>Serology (S) <span class="meaning">serological antigen</span></h3><p class="result" id="result"><span>A1/<wbr>A2+<wbr>B7^<wbr>DR3|<wbr>A1~<wbr>DR52?<wbr>A9</span></p><button type="button" class="small" aria-label="Copy the S result">Copy</button>',
    )
    const group = 'G group (G)<span class="meaning">G group: identical nucleotides in the exons of the antigen recognition domain</span>'
    const two = 'two fields, ARD (lgx)<span class="meaning">two fields of the G group</span>'
    const copy = (what: string) => `<button type="button" class="small" aria-label="Copy the ${what} result">Copy</button>`
    const methods = (caption: string, typing: string) => ({
      caption,
      heads: ['Method', 'Result', 'Copy'],
      rows: [
        [group, '<span class="hint">No such group.', ''],
        [two, `${typing}x`, copy('lgx')],
      ],
    })
    expect(await tables(page, 'methods')).toEqual([methods('Reduced by the other methods', GENOTYPE)])
    expect(await tables(page, 'loci')).toEqual([
      methods('A by the other methods', 'A*01:AB+A*02:01/A*02:02'),
      methods('DRB1 by the other methods', 'DRB1*03:01'),
      methods('DRB3 by the other methods', 'DRB3*01:01'),
    ])
    const [, card] = await page.locator('#loci article').evaluateAll((all) => all.map((one) => (one as unknown as { outerHTML: string }).outerHTML))
    expect(card).toMatch(/^<article class="card" aria-labelledby="locus-DRB1"><h3 id="locus-DRB1">DRB1<\/h3><p class="names hint"><span>DRB1\*03:01<\/span><\/p><p class="names"><b>serology \(S\) <\/b><span>A1\/.*A9<\/span> <button type="button" class="small" aria-label="Copy the DRB1 S result">Copy<\/button><\/p><details><summary>Other methods of DRB1<\/summary><div /)
    expect(await tables(page, 'codes')).toEqual([
      { caption: 'What the codes stand for', heads: ['Code', 'Alleles'], rows: [['A*01:AB', 'A*01:01 A*01:02']] },
      { caption: 'The code of the list', heads: ['List', 'Code'], rows: [['A*02:01/A*02:02', 'A*02:AB']] },
    ])
    expect(await tables(page, 'antigens')).toEqual([
      { caption: 'Broad and split antigens', heads: ['Antigen', 'Broad', 'Splits'], rows: ['A1', 'DR3', 'DR52', 'A9'].map((one) => [one, `${one}b`, `${one}s ${one}t`]) },
      { caption: 'DRB3, DRB4 and DRB5 as DRB1 implies them', heads: ['Gene', 'Typing'], rows: [['DRBX', 'DRB3*01:01+DRB4*01:01']] },
    ])
    expect(await tables(page, 'common')).toEqual([
      {
        caption: 'By CWD 9',
        heads: ['Typing', 'Common and well-documented', 'Code'],
        rows: [
          ['A*01:AB', 'A*01:ABc', 'A*01:AC'],
          ['A*02:01/A*02:02', 'A*02:01/A*02:02c', 'A*01:AC'],
          ['DRB1*03:01', '<span class="hint">Nothing is known of it.', ''],
          ['DRB3*01:01', 'DRB3*01:01c', 'A*01:AC'],
        ],
      },
    ])
    expect(await markup(page, 'explanation')).toBe(
      '<details><summary>Why this result</summary><h3>A*01:AB</h3><ol class="steps"><li><b>parse</b><span>a code</span></li><li><b>known</b><span>from a file<cite> a.txt:3</cite></span></li></ol><h3>A*02:01</h3><ol class="steps"><li><b>known</b><span>from b.txt:4 too</span></li></ol><h3>Combined result</h3><ol class="steps"><li><b>+</b><span>both<cite> c.txt:5</cite></span></li></ol></details>',
    )
    expect(await page.locator('summary:not(article summary)').allTextContents()).toEqual(['Other methods', 'Locus by locus', 'Codes', 'Antigens and DRBX', 'Why this result', 'Common alleles', 'In another release', 'Choose columns myself'])
    // each cell has its head, for narrow windows, and a table is reached and named
    expect(await markup(page, 'codes')).toBe(
      '<details><summary>Codes</summary><div class="scroll" tabindex="0" role="group" aria-label="What the codes stand for"><table><caption><h3>What the codes stand for</h3></caption><thead><tr><th scope="col">Code</th><th scope="col">Alleles</th></tr></thead><tbody><tr><th scope="row" data-title="Code"><span>A*01:AB</span></th><td class="name" data-title="Alleles"><span>A*01:01 A*01:02</span></td></tr></tbody></table></div><div class="scroll" tabindex="0" role="group" aria-label="The code of the list"><table><caption><h3>The code of the list</h3></caption><thead><tr><th scope="col">List</th><th scope="col">Code</th></tr></thead><tbody><tr><th scope="row" data-title="List"><span>A*02:01/<wbr>A*02:02</span></th><td class="name" data-title="Code">A*02:AB</td></tr></tbody></table></div></details>',
    )
    for (const id of ['antigens', 'common', 'methods'])
      expect(new Set(await page.locator(`#${id} td`).evaluateAll((all) => all.map((one) => (one as unknown as { className: string }).className)))).toEqual(new Set(id === 'methods' ? ['name', ''] : ['name']))
  }) // prettier-ignore

  test('a part without content is left out; one that was opened stays open; the answer of a later typing counts', async () => {
    const page = await visit((question) => {
      const { op, gl_string: typing, reduction_method: method } = question
      if (op === 'redux' && method !== 'G' && typing === 'B*07:02') return { ard: '' }
      if (op === 'blend') return typing === undefined ? { DRBX_blend: '' } : failure('')
      if (op === 'mac') return failure('no code')
      if (op === 'cwd') return failure('no list')
      if (op === 'explain') return failure('no steps')
      if (op === 'splits') return failure('none')
      return REDUCED(question)
    }, '?accept=none')
    await lookUp(page, 'A*01:AB/A*02:AC+A*03:AB/A*03:01^DRB1*03:01^DRB3*01:01')
    expect(await page.locator('#antigens').textContent()).toContain('DRB1 implies none of them, or none is typed.')
    expect(await markup(page, 'antigens')).toContain('<span class="hint">DRB1 implies')
    expect(await tables(page, 'codes')).toEqual([
      { caption: 'What the codes stand for', heads: ['Code', 'Alleles'], rows: ['A*01:AB', 'A*02:AC', 'A*03:AB'].map((one) => [one, '<span class="hint">No code.']) },
      { caption: 'The codes of the lists', heads: ['List', 'Code'], rows: ['A*01:AB/A*02:AC', 'A*03:AB/A*03:01'].map((one) => [one, '<span class="hint">No code.']) },
    ])
    expect((await tables(page, 'common')).map(({ caption }) => caption)).toEqual(['By typing'])
    expect(await markup(page, 'explanation')).toBe('<details><summary>Why this result</summary><p class="hint">No steps.</p></details>')
    await page.getByText('Why this result').click()
    await lookUp(page, 'B*07:02')
    expect(asked.at(-1)?.[0]).toEqual({ op: 'validate', gl_string: 'B*07:02' })
    expect(asked.at(-1)?.every((one) => !('accept' in one || 'options' in one))).toBe(true)
    expect(await markup(page, 'answer')).toBe('<h3>Two fields, ARD (lgx) <span class="meaning">two fields of the G group</span></h3><p>Nothing is left of the typing.</p>')
    expect([await markup(page, 'codes'), await markup(page, 'loci'), await markup(page, 'antigens')]).toEqual(['', '', ''])
    expect(await page.locator('#explanation details').getAttribute('open')).toBe('')
    await page.getByText('Why this result').click()
    await page.locator('#method').selectOption('G')
    await expect.poll(() => markup(page, 'answer')).toBe('<h3>G group (G) <span class="meaning">G group: identical nucleotides in the exons of the antigen recognition domain</span></h3><p>No such group.</p>')
    expect(await page.locator('#explanation details').getAttribute('open')).toBeNull()
  }) // prettier-ignore

  test('a long result is smaller, and the end of a very long one is shown on demand', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `A*01:${at + 100}`).join('/')
    const page = await visit((question) => (question.op === 'redux' ? { ard: names(Number(/\d+$/.exec(String(question['gl_string']))?.[0])) } : REDUCED(question)))
    for (const [count, style] of [[17, 'result'], [18, 'result long'], [44, 'result long']] as const) {
      await lookUp(page, `A*01:${count}`)
      expect(await page.locator('#result').getAttribute('class')).toBe(style)
      expect(await text(page, 'result')).toBe(names(count))
    }
    await lookUp(page, 'A*01:4000')
    expect(await text(page, 'result')).toBe(`${names(44)}/… show all 39,099 characters`)
    await page.getByRole('button', { name: 'show all' }).first().click()
    expect(await text(page, 'result')).toBe(names(4000))
  }) // prettier-ignore

  test('marks each wrong place once, tells it, and offers what may replace it', async () => {
    const problems = [
      { code: 'x', message: 'third is wrong', position: [6, 9], suggestions: [] },
      { code: 'x', message: 'first is wrong.', position: [0, 2], hint: 'try this\n\nor that', suggestions: ['B1', 'B2'] },
      { code: 'x', message: 'second is wrong', position: [1, 3], suggestions: [] },
      { code: 'x', message: 'inside', position: [7, 8], suggestions: ['Z'] },
    ]
    const page = await visit((question) => {
      if (question.op === 'validate') return { valid: false, malformed: false, verdict: 'unknown', problems }
      return failure('not read')
    })
    await lookUp(page, 'abcdefghij')
    expect(await page.locator('#verdict').getAttribute('class')).toBe('verdict invalid')
    const use = (name: string) => `<button type="button" class="small">Use ${name}</button>`
    expect(await markup(page, 'verdict')).toBe(
      `<p class="title">Not valid in 3.58.0: unknown, 4 problems</p><p class="echo" id="echo"><mark>ab</mark><mark>c</mark>def<mark>ghi</mark>j</p><ul><li>Third is wrong (characters 7 to 9).</li><li>First is wrong (characters 1 to 2).<div class="hint">Try this.</div><div class="hint">Or that.</div>${use('B1')}${use('B2')}</li><li>Second is wrong (characters 2 to 3).</li><li>Inside (character 8).${use('Z')}</li></ul>`,
    )
    expect(await text(page, 'typing-status')).toBe('Not valid in 3.58.0: unknown, 4 problems. Third is wrong. 0 of 3 methods answer.')
    for (const id of ['answer', 'methods', 'loci', 'common', 'explanation', 'antigens']) expect(await markup(page, id)).toBe('')
    await page.getByRole('button', { name: 'Use Z' }).click()
    await expect.poll(() => text(page, 'echo')).toBe('abcdefgZij')
    expect(await box(page).inputValue()).toBe('abcdefgZij')
    expect(await page.evaluate('document.activeElement.id')).toBe('typing')
  }) // prettier-ignore

  test('completes the name at the cursor', async () => {
    const page = await visit(({ op, prefix }) => {
      if (op !== 'similar') return failure('')
      if (prefix === 'A*99') return failure('none')
      if (prefix === 'A*98') return {}
      if (prefix === 'A*01:01') return { similar: ['A*01:01'] }
      return { similar: ['A*01:01', 'A*01:02', 'A*01:03'].map((name) => name.replace('A', /^[^*]*/.exec(String(prefix))?.[0] ?? '')) }
    })
    const list = page.locator('#completion')
    const type = async (start: string, typed: string) => {
      await box(page).fill(start)
      await box(page).pressSequentially(typed)
    }
    const chosen = () => page.locator('#completion [aria-selected=true]').allTextContents()
    await type('HLA-', 'B*0')
    await expect.poll(() => list.isVisible()).toBe(true)
    expect(asked).toEqual([[{ op: 'similar', prefix: 'HLA-B*0', limit: 8 }]])
    expect(await markup(page, 'completion')).toBe(
      [1, 2, 3].map((at) => `<li role="option" id="completion-${at - 1}" aria-selected="false">HLA-B*01:0${at}</li>`).join(''),
    )
    const active = () => box(page).getAttribute('aria-activedescendant')
    expect([await chosen(), await active()]).toEqual([[], null])
    for (const [key, name, id] of [['ArrowUp', 3, 2], ['ArrowDown', 1, 0], ['ArrowUp', 3, 2], ['ArrowUp', 2, 1], ['ArrowDown', 3, 2]] as const) {
      await page.keyboard.press(key)
      expect([await chosen(), await active()]).toEqual([[`HLA-B*01:0${name}`], `completion-${id}`])
    }
    await page.keyboard.press('Escape')
    expect([await list.isVisible(), await markup(page, 'completion'), await active()]).toEqual([false, '', null])
    // in the middle of a text, the rest stays
    await box(page).fill('A*02:01+/A*03:01')
    await page.evaluate("document.getElementById('typing').setSelectionRange(8, 8)")
    await page.keyboard.type('a*01')
    await expect.poll(() => list.isVisible()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await box(page).inputValue()).toBe('A*02:01+a*01:02/A*03:01')
    expect(await page.evaluate("[document.getElementById('typing').selectionStart, document.getElementById('typing').selectionEnd]")).toEqual([15, 15])
    // nothing is offered for a whole name, one without answer, and what is no beginning of a name
    const count = asked.length
    for (const [start, typed] of [['A*01:0', '1'], ['A*9', '9'], ['A*9', '8']] as const) {
      await type(start, typed)
      await expect.poll(() => asked.at(-1)?.[0]?.['prefix']).toBe(start + typed)
      expect(await list.isVisible()).toBe(false)
    }
    expect(asked).toHaveLength(count + 3)
    for (const [start, typed] of [['A', '*'], ['A2', '4'], ['x A*', 'x'], ['A*01-', '1']] as const) await type(start, typed)
    await type('A*', '0')
    await expect.poll(() => list.isVisible()).toBe(true)
    expect(asked).toHaveLength(count + 4)
    await page.keyboard.press('Tab')
    expect(await list.isVisible()).toBe(false)
  }) // prettier-ignore

  test('asks once for what is typed fast, and offers nothing when it was looked up meanwhile', async () => {
    const similar = { similar: ['A*01:01', 'A*01:02'] }
    const page = await visit((question) => (question.op === 'similar' ? similar : REDUCED(question)))
    const list = page.locator('#completion')
    const typeFast = (names: readonly string[]) =>
      page.evaluate(
        `for (const name of ${JSON.stringify(names)}) {
          document.getElementById('typing').value = name
          document.getElementById('typing').dispatchEvent(new Event('input'))
        }`,
      )
    await typeFast(['A*0', 'A*01', 'A*01:', 'A*01:0'])
    await expect.poll(() => list.isVisible()).toBe(true)
    expect(asked).toEqual([[{ op: 'similar', prefix: 'A*01:0', limit: 8 }]])
    // the answer to a shorter text comes when the text is looked up
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const isOffer = (request: Request) => (request.postData() ?? '').includes('similar')
    await page.route('**/batch', async (route) => {
      if (isOffer(route.request())) await held
      return route.fallback()
    })
    await page.keyboard.press('Escape')
    const begun = page.waitForRequest(isOffer)
    await typeFast(['A*01'])
    await begun
    await lookUp(page, 'A*01')
    const ended = page.waitForEvent('requestfinished', isOffer)
    release()
    await ended
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect([await list.isVisible(), await markup(page, 'completion')]).toEqual([false, ''])
  })

  test('compares two persons locus by locus', async () => {
    const answer = {
      total: { matched: [1, 2], of: 6, untyped: ['C', 'DQB1'] },
      count: 'GvH',
      loci: [
        { locus: 'A', verdict: 'match', gvh: [0, 0], hvg: [0, 1], grade: 'allele' },
        { locus: 'B', verdict: 'mismatch', gvh: [1, 2], hvg: [2, 2], grade: 'antigen', graded_by: 'first field' },
        { locus: 'DPB1', verdict: 'mismatch', tce: { verdict: 'permissive' } },
        { locus: 'DPB2', verdict: 'mismatch', tce: { possible: ['gvh', 'hvg'] } },
      ],
      problems: [{ message: 'one is unread' }],
      notes: [{ message: 'a note' }],
    }
    let made: object = answer
    const page = await visit((question) => (question.op === 'match' ? made : REDUCED(question)))
    const compare = async (other: string) => {
      await page.getByLabel('Compare with').fill(other)
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
    }
    await lookUp(page, 'A*01:01')
    expect(asked.flat().some(({ op }) => op === 'match')).toBe(false)
    await compare(' A*02:01 ')
    await expect.poll(() => tables(page, 'match-answer')).toEqual([
      {
        caption: '1–2 of 6 alleles match (GvH, not typed: C, DQB1)',
        heads: ['Locus', 'Verdict', 'GvH', 'HvG'],
        rows: [
          ['A', 'match, allele', '0', '0–1'],
          ['B', 'mismatch, antigen by first field', '1–2', '2'],
          ['DPB1', 'mismatch, TCE permissive', '', ''],
          ['DPB2', 'mismatch, TCE gvh/hvg', '', ''],
        ],
      },
    ])
    expect(await markup(page, 'match-answer')).toMatch(/<table class="titled">.*<\/div><p class="problem">One is unread\.<\/p><p class="hint">A note\.<\/p>$/)
    expect(asked.flat().filter(({ op }) => op === 'match')).toEqual([{ op: 'match', patient: 'A*01:01', donor: 'A*02:01' }])
    made = { ...answer, total: { matched: [2, 2], of: 2, untyped: [] }, loci: [], problems: undefined, notes: [] }
    await compare('A*03:01')
    await expect.poll(() => text(page, 'match-answer')).toBe('2 of 2 alleles match (GvH)LocusVerdictGvHHvG')
    made = failure('no comparison', { hint: 'try again' })
    await compare('A*04:01')
    await expect.poll(() => markup(page, 'match-answer')).toBe('<p class="problem">No comparison. Try again.</p>')
    await compare('')
    await expect.poll(() => markup(page, 'match-answer')).toBe('')
  }) // prettier-ignore

  test('translates and compares with another release', async () => {
    let made: object = { gl_string: 'A*1', from: '3.29.0', to: '3.58.0', result: 'A*01:01/A*01:02', lift_status: 'extended', notes: [{ message: 'one' }, { message: 'two' }] } // prettier-ignore
    const page = await visit((question) => (/lift|diff/.test(question.op) ? made : REDUCED(question)))
    await lookUp(page, 'A*01:01')
    await page.getByText('In another release').click()
    expect(await page.locator('#other-release option').allTextContents()).toEqual(['3.29.0', '3.30.0'])
    const ask = (kind: RegExp) => page.getByRole('button', { name: kind }).click()
    const [translate, compare] = [/^Translate/, /^Compare the/]
    const names = (result: string, said: string) => [{ caption: 'Names', heads: ['In 3.29.0', 'In 3.58.0', 'Outcome'], rows: [['A*1', result, said]] }] // prettier-ignore
    await ask(translate)
    await expect
      .poll(() => tables(page, 'release-answer'))
      .toEqual(names('A*01:01/A*01:02', 'extended; one; two'))
    made = { ...made, result: '', notes: undefined }
    await page.locator('#other-release').selectOption('3.30.0')
    await ask(translate)
    await expect.poll(() => tables(page, 'release-answer')).toEqual(names('no single name', 'extended'))
    made = { from_release: '3.30.0', to_release: '3.58.0', reduction_method: 'lgx', changed: true, reasons: ['one', 'two'], gained: ['A*1', 'A*2'], lost: ['A*3', 'A*4'], from_ard: 'A*5', to_error: 'gone' } // prettier-ignore
    await ask(compare)
    const changes = (...rows: string[][]) => [
      { caption: 'lgx in both releases', heads: ['Release', 'Result'], rows },
    ]
    await expect
      .poll(() => tables(page, 'release-answer'))
      .toEqual(changes(['3.30.0', 'A*5'], ['3.58.0', 'gone'], ['changed', 'one, two'], ['gained', 'A*1/A*2'], ['lost', 'A*3/A*4'])) // prettier-ignore
    made = { ...made, reasons: [], gained: [], lost: [], from_ard: undefined, from_error: 'none', to_error: undefined, to_ard: 'A*6' } // prettier-ignore
    await ask(compare)
    await expect.poll(() => tables(page, 'release-answer')).toEqual(changes(['3.30.0', 'none'], ['3.58.0', 'A*6'], ['changed', 'yes'])) // prettier-ignore
    made = { ...made, changed: false }
    await ask(compare)
    await expect.poll(() => tables(page, 'release-answer')).toEqual(changes(['3.30.0', 'none'], ['3.58.0', 'A*6'], ['changed', 'no'])) // prettier-ignore
    made = failure('not there', { hint: 'elsewhere' })
    for (const kind of [translate, compare]) {
      await ask(kind)
      await expect
        .poll(() => markup(page, 'release-answer'))
        .toBe('<p class="hint">Not there. Elsewhere.</p>')
    }
    expect(asked.flat().filter(({ op }) => /lift|diff/.test(op)).slice(0, 3)).toEqual([
      { op: 'lift', gl_string: 'A*01:01', from: '3.29.0' },
      { op: 'lift', gl_string: 'A*01:01', from: '3.30.0' },
      { op: 'diff', gl_string: 'A*01:01', from_release: '3.30.0', to_release: '3.58.0', reduction_method: 'lgx' },
    ]) // prettier-ignore
    await lookUp(page, 'A*02:01')
    expect(await markup(page, 'release-answer')).toBe('')
  })

  test('tells which data answer', async () => {
    const page = await visit(REDUCED)
    const facts = async (shown: Page) => [await text(shown, 'release'), await text(shown, 'identity'), await shown.locator('#starter').isVisible(), await text(shown, 'install')] // prettier-ignore
    await expect.poll(() => facts(page)).toEqual(['IPD-IMGT/HLA 3.58.0 · 1,234,567 codes of 2026-01-31', 'hla 9.8.7 · 3.58.0+0123', false, 'hla data install 3.58.0']) // prettier-ignore
    expect(await page.locator('#method option').allTextContents()).toEqual(['G group (G)', 'two fields, ARD (lgx)', 'serology (S)']) // prettier-ignore
    expect(await page.locator('#table-methods label').allTextContents()).toEqual(['G group (G)', 'two fields, ARD (lgx)', 'serology (S)']) // prettier-ignore
    expect(await page.locator('#table-methods input:checked').evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))).toEqual(['lgx']) // prettier-ignore
    const small = await visit(REDUCED, '', { ...VERSION, dataset: 'starter', mac_codes: undefined, data_id: undefined, releases: ['3.58.0'] }) // prettier-ignore
    await expect.poll(() => facts(small)).toEqual(['starter set of IPD-IMGT/HLA 3.58.0', 'hla 9.8.7 · 3.58.0+starter', true, 'hla data install 3.58.0']) // prettier-ignore
    expect(await small.locator('#releases').getAttribute('hidden')).toBe('')
    const other = await visit(REDUCED, '', { ...VERSION, mac_codes: 0, data_id: undefined })
    await expect.poll(() => facts(other)).toEqual(['IPD-IMGT/HLA 3.58.0', 'hla 9.8.7 · 3.58.0', false, 'hla data install 3.58.0']) // prettier-ignore
  })

  test('says that the service cannot be reached, or what it answers instead', async () => {
    const page = await visit(REDUCED)
    await page.route('**/batch', (route) => route.abort())
    await lookUp(page, 'A*01:01')
    expect([await text(page, 'typing-status'), await page.locator('#typing-status').getAttribute('class')]).toEqual(['The service cannot be reached.', 'failed']) // prettier-ignore
    expect(await page.locator('#meaning').isVisible()).toBe(false)
    await page.route('**/batch', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await lookUp(page, 'A*01:02')
    await expect.poll(() => text(page, 'typing-status')).toBe('The service answers with status 502.')
    await page.route('**/batch', (route) => route.fulfill({ status: 503, json: { code: 'busy', message: 'too busy', hint: 'wait a little' } })) // prettier-ignore
    await lookUp(page, 'A*01:03')
    await expect.poll(() => text(page, 'typing-status')).toBe('Too busy. Wait a little.')
    expect(complaints.splice(0)).toHaveLength(3)
  })

  test.for([
    ['?gl=A*01:01%2BA*02:01&m=G', 'A*01:01+A*02:01', 'G', false, ''],
    ['?gl=A*01:01=x+%zz&accept=all', 'A*01:01=x+%zz', 'lgx', true, ''],
    ['?gl=A*01:01&accept=some#gl=B*07:02&with=B*08:01%2F%3D', 'B*07:02', 'lgx', false, 'B*08:01/='],
    ['?gl=A*01:01#with=B*08:01', '', 'lgx', false, 'B*08:01'],
    ['?gl=A*01:01#table-title', 'A*01:01', 'lgx', false, ''],
    ['?gl=A*01:01#xgl=B', 'A*01:01', 'lgx', false, ''],
  ] as const)('the link %s fills the form', async ([link, typing, method, isLenient, other]) => {
    const page = await visit(
      (question) => (question.op === 'match' ? failure('none') : REDUCED(question)),
      link,
    )
    await expect.poll(() => box(page).inputValue()).toBe(typing)
    expect([await page.locator('#method').inputValue(), await page.locator('#lenient').isChecked(), await page.locator('#other-typing').inputValue()]).toEqual([method, isLenient, other]) // prettier-ignore
  })

  test('the address follows the form', async () => {
    const page = await visit((question) => (question.op === 'match' ? failure('none') : REDUCED(question)), '#table-title') // prettier-ignore
    const address = () => page.url().slice(url.length)
    const length = () => page.evaluate('history.length') as Promise<number>
    const first = await length()
    await lookUp(page, 'A*01:01/A*02:01&x')
    expect([address(), (await length()) - first]).toEqual(['?gl=A*01:01/A*02:01%26x#table-title', 1])
    await page.locator('#method').selectOption('S')
    expect([address(), (await length()) - first]).toEqual(['?gl=A*01:01/A*02:01%26x&m=S#table-title', 1])
    await page.locator('#antigen-level').selectOption('broad')
    await page.locator('#lenient').check()
    await lookUp(page, 'A*01:01')
    expect([address(), (await length()) - first]).toEqual(['?gl=A*01:01&m=S&antigens=broad&accept=all#table-title', 2]) // prettier-ignore
    await page.locator('#other-typing').fill('A*02:01')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    expect([address(), (await length()) - first]).toEqual(['#gl=A*01:01&m=S&antigens=broad&accept=all&with=A*02:01', 3]) // prettier-ignore
    // a typing that is too long for an address is left out of it
    await lookUp(page, `A*01:01${'/A*01:01'.repeat(800)}`)
    expect([address(), (await length()) - first]).toEqual(['?m=S&antigens=broad&accept=all', 3])
  })

  test('copies a result where the browser has a clipboard', async () => {
    const page = await visit(REDUCED)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await lookUp(page, 'A*01:01')
    const copy = page.getByRole('button', { name: 'Copy the lgx result' })
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await copy.click()
    await expect.poll(() => copy.textContent()).toBe('Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('A*01:01x')
    await page.clock.runFor(1990)
    expect(await copy.textContent()).toBe('Copied')
    await page.clock.runFor(20)
    expect(await copy.textContent()).toBe('Copy')
    await page.clock.resume()
    await page.evaluate("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
    await lookUp(page, 'A*02:01')
    expect(await page.locator('#meaning button.small').count()).toBe(0)
    expect(await text(page, 'result')).toBe('A*02:01x')
  })

  const SUMMARY = {
    name: 'a.lgx.csv',
    text: '',
    rows: 2,
    typings: 4,
    status: { ok: 3, error: 1, untyped: 0 },
    said: [] as object[],
    failed: 0,
    values: [] as object[],
    columns: [
      { name: 'id', read: 'id', locus: '' },
      { name: 'A_1', read: 'typing', locus: 'A', reading: '01:01 -> A*01:01', examples: ['01:01', '02:01'] },
      { name: 'gl', read: 'typing', locus: '', reading: 'GL Strings' },
      { name: 'note', read: 'no', locus: '', why: 'some cells are no typings' },
      { name: 'rest', read: 'no', locus: '', examples: ['x'] },
    ],
    plan: [
      { name: 'separator', text: 'a comma' },
      { name: 'header', text: 'the first row' },
    ],
  }
  interface MadeTable {
    readonly table?: string
    readonly errors?: string
    readonly summary?: object
    readonly error?: object
  }

  /** A page whose service answers a table with `made()`; `queries` receives what is asked. */
  async function tablePage(made: () => MadeTable, queries: string[] = [], search = ''): Promise<Page> {
    const page = await visit(REDUCED, search)
    await page.route('**/table?*', async (route) => {
      queries.push(new URL(route.request().url()).search)
      const form = new FormData()
      const { table, errors, summary, error } = made()
      if (table !== undefined) form.set('table', new File([table], 'a.lgx.csv', { type: 'text/csv' }))
      if (errors !== undefined) form.set('errors', new File([errors], 'a.errors.csv'))
      if (summary !== undefined) form.set('summary', JSON.stringify(summary))
      if (error !== undefined) form.set('error', JSON.stringify(error))
      const answer = new Response(form)
      const headers = { 'content-type': answer.headers.get('content-type') ?? '' }
      await route.fulfill({ headers, body: Buffer.from(await answer.arrayBuffer()) })
    })
    return page
  }
  const give = (page: Page, name: string, content: string) =>
    page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const status = async (page: Page) => [await text(page, 'table-status'), await page.locator('#table-status').getAttribute('class')] // prettier-ignore
  const withoutLinks = (made: string) => made.replaceAll(/href="blob:[^"]*"/g, 'href=""')

  const TABLE = 'id,A_1,A_1_lgx\n1,01:01,A*01:01\n2,99:99,\n'
  const ERRORS = 'row,column,value,message\n2,A_1,99:99,no such name\n'

  test('shows a converted table, its counts, its failed values, and how it was read', async () => {
    const values = [
      { value: '99:99', message: 'no such name', hint: 'look again', replacements: [], cells: 1, columns: ['A_1'], lines: [3] },
      { value: '', message: 'too few cells', hint: '', replacements: [], cells: 2, columns: [''], lines: [4, 5] },
      { value: 'x', message: 'no typing', hint: '', replacements: ['y', 'z'], cells: 1234, columns: ['A', 'B', '', 'C', 'D', 'E'], lines: [1, 2, 3] },
    ]
    let summary: object = { ...SUMMARY, failed: 1237, values, said: [{ message: 'a note' }, { message: 'and another.' }] }
    const queries: string[] = []
    const page = await tablePage(() => ({ table: TABLE, errors: ERRORS, summary }), queries)
    await give(page, 'a.csv', 'id\n1\n')
    await press(page, 'Convert')
    await page.locator('#download').waitFor()
    expect(queries).toEqual(['?name=a.csv&method=lgx&into=after&on_error=blank'])
    expect(await status(page)).toEqual(['Converted 2 rows. Of 4 typings, 3 were reduced.', ''])
    expect(await page.evaluate('document.activeElement.id')).toBe('download')
    const shown = withoutLinks(await markup(page, 'converted'))
    expect(shown).toMatch(
      /^<div class="row"><a href="" download="a.lgx.csv" class="button main" id="download">Download a.lgx.csv<\/a><a href="" download="a.errors.csv" class="button">Download the report of 1,237 failed cells<\/a><\/div><dl class="counts"><div><dt>rows<\/dt><dd>2<\/dd><\/div><div><dt>reduced<\/dt><dd>3<\/dd><\/div><div class="bad"><dt>failed<\/dt><dd>1<\/dd><\/div><\/dl><p class="hint">Note: A note.<\/p><p class="hint">Note: And another.<\/p><div /,
    )
    expect(shown).toContain(
      '<div class="scroll" tabindex="0" role="region" aria-label="Converted rows"><table class="preview"><caption>All rows, converted</caption><thead><tr><th scope="col">id</th><th scope="col">A_1</th><th scope="col">A_1_lgx</th></tr></thead><tbody><tr><td>1</td><td>01:01</td><td>A*01:01</td></tr><tr><td>2</td><td class="failed"><span class="wrong">99:99</span><span class="reason">No such name.</span></td><td></td></tr></tbody></table></div>',
    )
    expect(shown).toContain('<details><summary>How the table was read</summary><dl class="facts"><div><dt>Separator</dt><dd>a comma</dd></div><div><dt>Header</dt><dd>the first row</dd></div></dl><div')
    const [failed, , read] = await tables(page, 'converted')
    expect(failed).toEqual({
      caption: 'Values that failed',
      heads: ['Value', 'Cells', 'What is wrong', 'Use instead'],
      rows: [
        ['99:99', '1 cell<span class="meaning">A_1; line 3</span>', 'No such name.<span class="hint"> Look again.</span>', ''],
        ['whole row', '2 rows<span class="meaning">lines 4, 5</span>', 'Too few cells.', ''],
        ['x', '1,234 cells<span class="meaning">A, B, C, D, …; lines 1, 2, 3, …</span>', 'No typing.', 'y or z'],
      ],
    })
    expect(read).toEqual({
      caption: 'Columns',
      heads: ['Column', 'Holds', 'Cells'],
      rows: [
        ['id', 'The name of the person', ''],
        ['A_1', 'Typings of A', '<span class="hint">01:01 -&gt; A*01:01</span><span class="example">01:01</span><span class="example">02:01</span>'],
        ['gl', 'Typings with their locus', '<span class="hint">GL Strings</span>'],
        ['note', 'Left as it is', '<span class="hint">Not read: Some cells are no typings.'],
        ['rest', 'Left as it is', '<span class="example">x</span>'],
      ],
    })
    summary = { ...SUMMARY, rows: 1, typings: 1, status: { ok: 0 }, failed: 1238, values, columns: [] }
    await press(page, 'Convert')
    await expect.poll(() => status(page)).toEqual(['Converted 1 row. Of 1 typing, 0 were reduced.', ''])
    expect((await tables(page, 'converted'))[0]?.caption).toBe('The first 3 values that failed')
  }) // prettier-ignore

  test('marks failed cells in the first rows', async () => {
    const columns = [SUMMARY.columns[0], { name: 'A_1', read: 'typing', locus: 'A' }, { name: 'B_1', read: 'typing', locus: 'B' }] // prettier-ignore
    const rows = Array.from({ length: 12 }, (_, at) => `${at + 1},01:01,y${at + 1},,z`).join('\n')
    const errors = 'value,row,column,message\n01:01,2,A_1,no A here\n,3,B_1,no B here\ny4,4,B_1,other\ny4,4,A_1,not marked\n01:01,11,A_1,behind\n" 01:01 ",5,A_1,with spaces\n' // prettier-ignore
    let made: object = { ...SUMMARY, rows: 12, columns }
    let table = `id,A_1,A_1_lgx,B_1,B_1_lgx\n${rows}\n`
    const page = await tablePage(() => ({ table, errors, summary: made }))
    await give(page, 'a.csv', 'id\n1\n')
    const shown = async () => {
      await press(page, 'Convert')
      await page.locator('#converted table.preview').waitFor()
      return (await tables(page, 'converted'))[0]
    }
    const wrong = (value: string, reason: string) => `${value === '' ? '' : `<span class="wrong">${value}</span>`}<span class="reason">${reason}` // prettier-ignore
    const first = await shown()
    expect([first?.caption, first?.heads]).toEqual(['The first 10 rows, converted', ['id', 'A_1', 'A_1_lgx', 'B_1', 'B_1_lgx']]) // prettier-ignore
    expect(first?.rows).toHaveLength(10)
    expect(first?.rows.slice(0, 5)).toEqual([
      ['1', '01:01', 'y1', '', 'z'],
      ['2', wrong('01:01', 'No A here.'), 'y2', '', 'z'],
      ['3', '01:01', 'y3', wrong('', 'No B here.'), 'z'],
      ['4', '01:01', 'y4', '', 'z'],
      ['5', wrong('01:01', 'With spaces.'), 'y5', '', 'z'],
    ])
    // results in place of the typings: the value of the cell is gone
    await page.locator('#into').selectOption('replace')
    table = 'id,A_1,B_1\n1,A*01:01,B*07:02\n2,,B*07:02\n'
    made = { ...SUMMARY, rows: 2, columns }
    const replaced = await shown()
    expect(replaced).toEqual({ caption: 'All rows, converted', heads: ['id', 'A_1', 'B_1'], rows: [['1', 'A*01:01', 'B*07:02'], ['2', wrong('', 'No A here.'), 'B*07:02']] }) // prettier-ignore
    // a table without a header, one without rows, and a document
    await page.locator('#into').selectOption('append')
    table = '1,01:01,07:02\n2,01:01,07:02\n'
    expect(await shown()).toEqual({ caption: 'All rows, converted', heads: [], rows: [['1', '01:01', '07:02'], ['2', wrong('01:01', 'No A here.'), '07:02']] }) // prettier-ignore
    for (const none of [{ rows: 0 }, { name: 'a.xlsx' }, { name: 'a.csv.gz' }]) {
      made = { ...SUMMARY, columns, ...none }
      await press(page, 'Convert')
      await page.locator('#download').waitFor()
      expect(await page.locator('#converted table.preview').count()).toBe(0)
    }
  })

  test('shows a preview, with a menu for each column', async () => {
    const many = Array.from({ length: 201 }, (_, at) => ({ name: `c${at + 1}`, read: 'no', locus: '' }))
    let made: MadeTable = { table: TABLE, errors: ERRORS, summary: { ...SUMMARY, failed: 1, said: [{ message: 'a note' }], columns: [...SUMMARY.columns, { name: 'C_1', read: 'typing', locus: 'C' }] } } // prettier-ignore
    const queries: string[] = []
    const page = await tablePage(() => made, queries)
    await press(page, 'Preview')
    expect(await status(page)).toEqual(['Choose a file first.', 'failed'])
    await give(page, 'a.csv', 'id\n1\n')
    await press(page, 'Preview')
    await page.locator('#preview').waitFor()
    const shown = withoutLinks(await markup(page, 'preview'))
    expect(shown).toMatch(/^<h3>Preview of the table<\/h3><p class="hint">1 cell fails\. The rows below show where and why\.<\/p><div class="scroll" tabindex="0" role="region" aria-label="The rows after conversion"><table class="preview">/)
    expect(shown).toContain('</table></div><div class="row"><a href="" download="a.errors.csv" class="button">Download the report of 1 failed cell</a></div><p class="hint">Note: A note.</p><div class="scroll" tabindex="0" role="group" aria-label="How each column is read" id="columns-table">')
    expect(shown).toMatch(/<dl class="facts"><div><dt>Separator<\/dt><dd>a comma<\/dd><\/div><div><dt>Header<\/dt><dd>the first row<\/dd><\/div><\/dl>$/)
    const option = (value: string, label: string, chosen: string) => `<option value="${value}"${value === chosen ? ' selected=""' : ''}>${label}</option>`
    const menu = (at: number, name: string, chosen: string, ...more: string[]) =>
      `<select id="column-${at}" aria-label="What ${name} holds" autocomplete="off">${chosen === 'id' ? option('id', 'The name of the person', chosen) : ''}${option('', 'Left as it is', chosen)}${option('gl', 'Typings with their locus', chosen)}${[...more, 'A', 'B'].map((locus) => option(locus, `Typings of ${locus}`, chosen)).join('')}</select>`
    const [, columns] = await tables(page, 'preview')
    expect(columns?.rows.map(([name, holds]) => [name, holds])).toEqual([
      ['id', menu(1, 'id', 'id')],
      ['A_1', menu(2, 'A_1', 'A')],
      ['gl', menu(3, 'gl', 'gl')],
      ['note', menu(4, 'note', '')],
      ['rest', menu(5, 'rest', '')],
      ['C_1', menu(6, 'C_1', 'C', 'C')],
    ])
    // what is chosen in the menus stands in the form, and is asked
    for (const [at, value] of [[2, 'B'], [4, 'gl'], [5, 'A'], [6, ''], [3, 'B'], [1, '']] as const) {
      const count = queries.length
      await page.locator(`#column-${at}`).selectOption(value)
      await expect.poll(() => queries.length).toBe(count + 1)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`column-${at}`)
    }
    const fields = async () => Promise.all(['exclude', 'gl', 'locus'].map((id) => page.locator(`#${id}`).inputValue()))
    expect(await fields()).toEqual(['6,1', '4', 'B=2,3 A=5'])
    expect(queries.at(-1)).toBe('?name=a.csv&method=lgx&into=after&on_error=blank&exclude=6%2C1&locus=B%3D2%2C3+A%3D5&gl=4')
    // a change of the form is previewed, one of the file is not, and forgets the choices
    made = { table: TABLE, summary: { ...SUMMARY, failed: 1234, columns: many }, error: { code: 'x', message: 'it ended', hint: 'again' } }
    await page.locator('#on-error').selectOption('keep')
    await expect.poll(() => markup(page, 'preview')).toMatch(/^<h3>Preview of the table<\/h3><p class="problem">It ended\. Again\.<\/p><p class="hint">1,234 cells fail\. The rows below show where and why\.<\/p>/)
    expect(await markup(page, 'preview')).toContain('<p class="hint">These are the first 200 of 201 columns.</p>')
    expect((await tables(page, 'preview')).at(-1)?.rows).toHaveLength(200)
    const count = queries.length
    await give(page, 'b.csv', `id\n${'1\n'.repeat(32_767)}`)
    expect([await page.locator('#preview').isVisible(), await fields(), queries.length]).toEqual([false, ['', '', ''], count])
    made = { table: TABLE, summary: { ...SUMMARY, failed: 2, columns: many.slice(1) } }
    await press(page, 'Preview')
    await expect.poll(() => markup(page, 'preview')).toMatch(/^<h3>Preview of the first rows<\/h3><p class="hint">2 cells fail at the beginning of the table\. The rows below/)
    expect(await markup(page, 'preview')).not.toContain('These are')
    await give(page, 'c.csv', `i\n${'1\n'.repeat(32_767)}`)
    made = { summary: { ...SUMMARY, columns: [] } }
    await press(page, 'Preview')
    await expect.poll(() => markup(page, 'preview')).toMatch(/^<h3>Preview of the table<\/h3><div class="row"><\/div><div/)
    for (const [name, content] of [['d.csv', 'x'.repeat(65_537)], ['e.xlsx', 'x'.repeat(2_000_001)]] as const) {
      await give(page, name, content)
      await press(page, 'Preview')
      await expect.poll(() => markup(page, 'preview')).toBe('<p class="hint">This file is too large for a preview. It is read when it is converted.</p>')
    }
    await give(page, 'e.xlsx', 'x'.repeat(2_000_000))
    await press(page, 'Preview')
    await expect.poll(() => markup(page, 'preview')).toMatch(/^<h3>Preview of the table/)
  }) // prettier-ignore

  test('asks for what the form says', async () => {
    const queries: string[] = []
    const page = await tablePage(() => ({ summary: SUMMARY, table: TABLE }), queries, '?antigens=split')
    await give(page, 'a b.csv', 'id\n1\n')
    const ask = async () => {
      await press(page, 'Convert')
      await page.locator('#download').waitFor()
      return [...new URLSearchParams(queries.at(-1))].map((one) => one.join('='))
    }
    expect(await ask()).toEqual(['name=a b.csv', 'method=lgx', 'into=after', 'on_error=blank'])
    await page.getByText('Choose columns myself').click()
    for (const id of ['columns', 'exclude', 'locus', 'gl', 'input-format']) await page.locator(`#${id}`).fill(` of ${id} `)
    await page.locator('#no-header').check()
    await page.locator('#table-lenient').check()
    await page.getByRole('checkbox', { name: '(S)' }).check()
    await page.getByRole('checkbox', { name: '(G)' }).check()
    await page.locator('#into').selectOption('append')
    await page.locator('#on-error').selectOption('report')
    expect(await ask()).toEqual(['name=a b.csv', 'method=G', 'method=lgx', 'method=S', 'antigens=split', 'into=append', 'on_error=report', 'columns=of columns', 'exclude=of exclude', 'locus=of locus', 'gl=of gl', 'input_format=of input-format', 'header=false', 'accept=all'])
  }) // prettier-ignore

  test('says why a table is not converted, and stops when told', async () => {
    let made: MadeTable = { summary: SUMMARY, table: TABLE, error: { code: 'x', message: 'it ended', hint: 'again' } }
    const page = await tablePage(() => made)
    await press(page, 'Convert')
    expect(await status(page)).toEqual(['', null])
    await give(page, 'a.csv', 'id\n1\n')
    await press(page, 'Convert')
    await expect.poll(() => status(page)).toEqual(['Not converted. It ended. Again.', 'failed'])
    expect([await markup(page, 'converted'), await page.locator('#converted').isVisible()]).toEqual(['', false])
    made = {}
    await press(page, 'Convert')
    await expect.poll(() => status(page)).toEqual(['Not converted. ', ''])
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/table?*', async (route) => {
      await held
      await route.abort()
    })
    await press(page, 'Convert')
    expect(await status(page)).toEqual(['Converting a.csv (5 bytes) …', ''])
    expect([await page.locator('#convert').isDisabled(), await page.locator('#cancel').isVisible()]).toEqual([true, true])
    await press(page, 'Stop')
    await expect.poll(() => status(page)).toEqual(['Stopped.', ''])
    expect([await page.locator('#convert').isDisabled(), await page.locator('#cancel').isVisible()]).toEqual([false, false])
    release()
    await press(page, 'Convert')
    await expect.poll(() => status(page)).toEqual(['The service cannot be reached.', 'failed'])
    await press(page, 'Preview')
    await expect.poll(() => markup(page, 'preview')).toBe('<p class="hint">The service cannot be reached.</p>')
    complaints.length = 0
  }) // prettier-ignore

  test('asks what each column holds where no typing is found', async () => {
    const page = await tablePage(() => ({}))
    await page.route('**/table?*', (route) => route.fulfill({ status: 400, json: { code: 'usage', message: 'no typings', hint: 'name them', suggestions: [] } })) // prettier-ignore
    const heads = async (name: string, content: string, button = 'Preview') => {
      await give(page, name, content)
      await press(page, button)
      await page.locator('#columns-table').waitFor()
      const [columns] = await tables(page, 'preview')
      return columns?.rows.map(([title, , cells]) => [title, cells])
    }
    const example = (...cells: string[]) => cells.map((cell) => `<span class="example">${cell}</span>`).join('') // prettier-ignore
    expect(await heads('a.csv', 'p,q\n1,\n2,x\n3,y\n4,z\n')).toEqual([['p', example('1', '2', '3')], ['q', example('x', 'y')]]) // prettier-ignore
    expect(await markup(page, 'preview')).toMatch(/^<h3>What does each column hold\?<\/h3><p>Choose the locus of each column of typings\. The preview follows\.<\/p><p class="hint">No typings\.<\/p><div class="scroll" tabindex="0" role="group" aria-label="Columns" id="columns-table">/) // prettier-ignore
    for (const [at, value] of [
      [1, 'B'],
      [2, 'gl'],
    ] as const) {
      await page.locator(`#column-${at}`).selectOption(value)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`column-${at}`)
    }
    expect([await page.locator('#column-1').inputValue(), await page.locator('#column-2').inputValue()]).toEqual(['B', 'gl']) // prettier-ignore
    // typings in the first row are no names of columns
    expect(await heads('b.csv', 'x,01:01\ny,02:01\n')).toEqual([['Column 1', example('x', 'y')], ['Column 2', example('01:01', '02:01')]]) // prettier-ignore
    expect(await heads('c.csv', 'x,y\n1,2\n', 'Convert')).toEqual([['x', example('1')], ['y', example('2')]]) // prettier-ignore
    expect(await status(page)).toEqual(['No typings. Name them.', 'failed'])
    expect(await markup(page, 'preview')).not.toContain('class="hint">No typings')
    await page.getByText('Choose columns myself').click()
    await page.locator('#no-header').check()
    expect(await heads('c.csv', 'x,y\n1,2\n')).toEqual([['Column 1', example('x', '1')], ['Column 2', example('y', '2')]]) // prettier-ignore
    // a workbook has no lines to show
    await give(page, 'a.xlsx', 'x')
    await press(page, 'Preview')
    await expect.poll(() => markup(page, 'preview')).toBe('<p class="hint">No typings.</p>')
    complaints.length = 0
  })

  test('puts other values in their place, one after the other, and takes them back', async () => {
    const value = (one: string, ...replacements: string[]) => ({ value: one, message: 'wrong', hint: '', replacements, cells: 2, columns: ['A_1'], lines: [2, 3] }) // prettier-ignore
    const columns = [SUMMARY.columns[0], { name: 'A_1', read: 'typing', locus: 'A' }]
    const sent: string[] = []
    const page = await tablePage(() => ({ table: TABLE, summary: { ...SUMMARY, columns, values: [value('1:1', '01:01'), value('2:1', '02:01', '02:10'), value('3:1')] } })) // prettier-ignore
    page.on('request', (request) => /table\?/.test(request.url()) && sent.push(request.postData() ?? ''))
    await give(page, 'a.csv', 'id,A_1\n1,1:1\n2,2:1\n3,1:1\n')
    await press(page, 'Preview')
    await page.locator('#preview').waitFor()
    const [table] = await tables(page, 'preview')
    const use = (to: string, one: string) => `<button type="button" class="small" aria-label="Use ${to} for ${one} in 2 cells">Use ${to}</button>` // prettier-ignore
    expect(table?.rows.map((row) => row[3])).toEqual([
      `<span class="choices">${use('01:01', '1:1')}`,
      `<span class="choices">${use('02:01', '2:1')}${use('02:10', '2:1')}`,
      '',
    ])
    await press(page, 'Use 01:01 for 1:1 in 2 cells')
    await expect.poll(() => text(page, 'corrections')).toContain('1:1 → 01:01 in 2 cells.')
    await press(page, 'Use 02:10 for 2:1 in 2 cells')
    await expect.poll(() => markup(page, 'corrections')).toBe('<p><b>Corrected before the conversion: </b>1:1 → 01:01 in 2 cells; 2:1 → 02:10 in 1 cell.</p><p class="hint">The file on your disk stays as it is.</p><button type="button" class="small">Undo the corrections</button>') // prettier-ignore
    await press(page, 'Convert')
    await page.locator('#download').waitFor()
    await press(page, 'Undo the corrections')
    await expect.poll(() => sent.length).toBe(5)
    expect([await page.locator('#corrections').isVisible(), await page.locator('#converted').isVisible()]).toEqual([false, false]) // prettier-ignore
    const content = (one: string, two: string) => `id,A_1\n1,${one}\n2,${two}\n3,${one}\n`
    const corrected = content('01:01', '02:10')
    expect(sent).toEqual([content('1:1', '2:1'), content('01:01', '2:1'), corrected, corrected, content('1:1', '2:1')]) // prettier-ignore
    // another file has no corrections
    await press(page, 'Use 01:01 for 1:1 in 2 cells')
    await page.locator('#corrections').waitFor()
    await give(page, 'b.xlsx', 'x')
    expect(await page.locator('#corrections').isVisible()).toBe(false)
    await press(page, 'Preview')
    await page.locator('#preview').getByText('02:01 or 02:10').waitFor()
  })

  test('a file is dropped on its area', async () => {
    const page = await tablePage(() => ({ table: TABLE, summary: SUMMARY }))
    const drop = page.locator('#drop')
    const isOver = async () => (await drop.getAttribute('class'))?.includes('over')
    const prevented = (type: string, files: readonly string[]) =>
      page.evaluate(`(() => {
        const data = new DataTransfer()
        for (const name of ${JSON.stringify(files)}) data.items.add(new File(['id\\n1\\n'], name))
        const event = new DragEvent('${type}', { dataTransfer: data, cancelable: true })
        document.getElementById('drop').dispatchEvent(event)
        return event.defaultPrevented
      })()`)
    expect(await isOver()).toBe(false)
    for (const type of ['dragenter', 'dragover']) {
      expect([await prevented(type, []), await isOver()]).toEqual([true, true])
      await prevented('dragleave', [])
      expect(await isOver()).toBe(false)
    }
    const chosen = () => page.evaluate("[...document.getElementById('file').files].map(({ name }) => name)")
    await prevented('dragenter', [])
    expect([await prevented('drop', ['a.csv']), await isOver(), await chosen()]).toEqual([
      true,
      false,
      ['a.csv'],
    ])
    expect(await page.evaluate('document.activeElement.id')).toBe('convert')
    await press(page, 'Preview')
    await page.locator('#preview').waitFor()
    // a text that is dropped is no file
    expect([await prevented('drop', []), await chosen()]).toEqual([true, ['a.csv']])
    expect(await page.locator('#preview').isVisible()).toBe(true)
    await prevented('drop', ['b.csv'])
    expect([await chosen(), await page.locator('#preview').isVisible()]).toEqual([['b.csv'], false])
  })

  test('the documentation has each route with a request in four languages, its values and answers', async () => {
    const text = { type: 'string' }
    const value = (type: unknown, description: string) => ({ ...(type as object), description })
    const shapes = {
      gl_string: value(text, 'the typing'),
      level: value({ enum: ['usual', 'broad'] }, 'the level'),
      many: { type: 'array', items: { type: ['string', 'null'] } },
      any: { type: 'array' },
      inside: { properties: { one: text, two: text } },
      other: { $ref: '#/components/schemas/Other' },
      free: {},
    }
    const json = (schema: object, example?: unknown) => ({ content: { 'application/json': { schema, example } } })
    const route = (operationId: string, summary: string, more: object) => ({ operationId, tags: ['first'], summary, responses: { 200: { description: 'Done', ...json({ properties: { ard: text, name: text } }) } }, ...more })
    const file = (type: string, answer: string) => ({ requestBody: { content: { [type]: { schema: text, example: 'id\n' } } }, responses: { 200: { description: 'Done', content: { [answer]: { schema: text } } } } })
    const document = {
      info: { title: 'hla', version: '4.5' },
      tags: [{ name: 'second', description: 'More questions' }, { name: 'first', description: 'Questions' }],
      components: { schemas: { Ask: { properties: shapes, required: ['gl_string'] }, Other: { properties: { deep: text } } } },
      paths: {
        '/redux': { post: route('redux', 'Reduces.', { requestBody: json({ $ref: '#/components/schemas/Ask' }, { gl_string: 'A*01:01' }), responses: { 200: { description: 'Done', ...json({ properties: { ard: text, name: text } }) }, 400: { description: 'Wrong', ...json({ oneOf: [{ $ref: '#/components/schemas/Other' }, text] }) }, 413: { description: 'Large' }, 422: { description: 'Both', ...json({ allOf: [{ properties: { a: text } }, { anyOf: [text] }] }) } } }) },
        '/version': { get: route('version', 'Tells.', {}) },
        '/table': { post: route('table', 'Converts.', file('application/octet-stream', 'text/csv')) },
        '/batch': { post: route('batch', 'Asks.', file('application/jsonl', 'application/jsonl')) },
      },
    }
    const page = await emptyPage(browser, url, complaints)
    await page.route('**/openapi.json', (one) => one.fulfill({ json: document }))
    await page.route('**/version', (one) => one.fulfill({ json: { release: '3.58.0' } }))
    await page.goto(`${url}docs#redux`)
    const redux = page.locator('#redux')
    await redux.locator('pre').first().waitFor()
    expect(await page.locator('#title').textContent()).toBe('hla, API 4.5')
    expect(await page.locator('#status').textContent()).toBe('')
    expect(await page.locator('#routes > h2, #routes summary').evaluateAll((all) => all.map((one) => (one as unknown as { innerHTML: string }).innerHTML))).toEqual([
      'More questions',
      'Questions',
      ...[['POST', '/redux', 'Reduces.'], ['GET', '/version', 'Tells.'], ['POST', '/table', 'Converts.'], ['POST', '/batch', 'Asks.']].map(([method, path, said]) => `<h3><span class="method">${method}</span><span class="path">${path}</span></h3><span class="summary">${said}</span>`),
    ])
    expect(await page.locator('#routes details').evaluateAll((all) => all.map((one) => (one as unknown as { open: boolean }).open))).toEqual([true, false, false, false])
    expect(await tables(page, 'redux')).toEqual([
      {
        caption: 'In the body (application/json)',
        heads: ['Name', 'Needed', 'Type', 'Meaning'],
        rows: [
          ['gl_string', 'yes', 'string', 'the typing'],
          ['level', 'no', 'usual | broad', 'the level'],
          ['many', 'no', 'list of string | null', ''],
          ['any', 'no', 'list of anything', ''],
          ['inside', 'no', '{ one, two }', ''],
          ['other', 'no', 'Other', ''],
          ['other.deep', 'no', 'string', ''],
          ['free', 'no', 'anything', ''],
        ],
      },
      {
        caption: 'Answers',
        heads: ['Status', 'When', 'Body'],
        rows: [['200', 'Done', 'ard name'], ['400', 'Wrong', 'Other, or string'], ['413', 'Large', 'nothing'], ['422', 'Both', 'a and string']],
      },
    ])
    expect(await redux.locator('td.name').count()).toBe(8 + 4)
    for (const id of ['version', 'table', 'batch']) {
      await page.evaluate(`location.hash = '#${id}'`)
      await page.locator(`#${id} pre`).first().waitFor()
    }
    expect((await tables(page, 'table')).map(({ caption }) => caption)).toEqual(['In the body (application/octet-stream)', 'Answers'])
    expect((await tables(page, 'version')).map(({ caption }) => caption)).toEqual(['Answers'])
    const form = (path: string, label: string, method: string, body = '') =>
      `<label for="${path}-address">${label}</label><input id="${path}-address" value="${path}" spellcheck="false" autocomplete="off" required="">${body}<button class="main" aria-label="Send ${method} ${path}">Send</button><div role="status"></div>`
    const formOf = (id: string) => page.locator(`#${id} form.try`).evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML)
    expect(await formOf('version')).toBe(form('version', 'Address', 'GET'))
    expect(await formOf('table')).toBe(form('table', 'Address to send it to', 'POST', '<label for="table-body">Body (application/octet-stream)</label><textarea id="table-body" rows="4" spellcheck="false">id</textarea>'))
    expect(await page.locator('#languages label').allTextContents()).toEqual(['curl', 'Python', 'R', 'JavaScript'])
    const python = (ask: string, read: string) => `import requests\n\nanswer = requests.${ask}\nanswer.raise_for_status()\nprint(answer.${read})`
    const r = (...steps: string[]) => `library(httr2)\n\n${steps.join(' |>\n  ')}`
    const expected = {
      curl: [`curl '${url}redux' -H 'content-type: application/json' \\\n  -d '{"gl_string":"A*01:01"}'`, `curl '${url}version'`, `curl '${url}table' --data-binary @donors.csv`, `curl '${url}batch' --data-binary @questions.jsonl`],
      Python: [python(`post("${url}redux", json={"gl_string":"A*01:01"})`, 'json()'), python(`get("${url}version")`, 'json()'), python(`post("${url}table", data=open("donors.csv", "rb"))`, 'text'), python(`post("${url}batch", data=open("questions.jsonl", "rb"))`, 'text')],
      R: [r(`request("${url}redux")`, `req_body_raw('{"gl_string":"A*01:01"}', type = "application/json")`, 'req_perform()', 'resp_body_json()'), r(`request("${url}version")`, 'req_perform()', 'resp_body_json()'), r(`request("${url}table")`, 'req_body_file("donors.csv")', 'req_perform()', 'resp_body_string()'), r(`request("${url}batch")`, 'req_body_file("questions.jsonl")', 'req_perform()', 'resp_body_string()')],
      JavaScript: [
        `const answer = await fetch('${url}redux', {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify({"gl_string":"A*01:01"}),\n})\nconsole.log(await answer.json())`,
        `const answer = await fetch('${url}version')\nconsole.log(await answer.json())`,
        ...[['table', 'donors.csv'], ['batch', 'questions.jsonl']].map(([path, name]) => `const { readFile } = await import('node:fs/promises')\n\nconst answer = await fetch('${url}${path}', {\n  method: 'POST',\n  body: await readFile('${name}'),\n})\nconsole.log(await answer.text())`),
      ],
    }
    const examples = () => page.locator('#routes details > pre').allTextContents()
    expect(await examples()).toEqual(expected.curl)
    for (const language of ['Python', 'R', 'JavaScript', 'curl'] as const) {
      await page.getByLabel(language, { exact: true }).check()
      expect(await examples()).toEqual(expected[language])
    }
    expect(await page.locator('#redux pre').first().evaluate((one) => { const { attributes } = one as unknown as { attributes: Iterable<{ name: string; value: string }> }; return [...attributes].map(({ name, value: said }) => `${name}=${said}`) })).toEqual(['tabindex=0', 'role=region', 'aria-label=POST /redux as an example'])
    const answer = page.locator('#version [role=status]')
    const send = () => page.getByRole('button', { name: 'Send GET version' }).click()
    await send()
    await expect.poll(() => answer.locator('pre').textContent()).toBe('{\n  "release": "3.58.0"\n}')
    expect(await answer.evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML)).toMatch(/^<p class="hint">200 OK, \d+ ms<\/p><pre tabindex="0" role="region" aria-label="Answer of version">/)
    await page.route('**/version', (one) => one.fulfill({ status: 404, body: `{${'x'.repeat(20_000)}` }))
    // an address of another server stays on this one
    for (const address of ['//version', '/\\other.invalid/version', 'https://other.invalid/version']) {
      await page.locator('#version-address').fill(address)
      await send()
      await expect.poll(() => answer.locator('pre').textContent()).toBe(`{${'x'.repeat(19_999)}\n… 20,001 characters`)
      expect(await answer.locator('p').textContent()).toMatch(/^404 Not Found, \d+ ms$/)
    }
    await page.route('**/version', (one) => one.abort())
    await send()
    await expect.poll(() => answer.evaluate((one) => (one as unknown as { innerHTML: string }).innerHTML)).toBe('<p class="problem">The service cannot be reached.</p>')
    await page.route('**/openapi.json', (one) => one.fulfill({ status: 500, body: '' }))
    await page.reload()
    await expect.poll(() => page.locator('#status').textContent()).toBe('The description cannot be read: Error: status 500')
    expect(await page.locator('#status').getAttribute('class')).toBe('failed')
    complaints.length = 0
  }) // prettier-ignore

  test('looks up what is typed or chosen; only the latest answer counts', async () => {
    const page = await visit(REDUCED)
    await box(page).fill('   ')
    await page.getByRole('button', { name: 'Look up' }).click()
    expect([asked, page.url()]).toEqual([[], url])
    const example = page.locator('#examples button').nth(1)
    const chosen = (await example.textContent()) ?? ''
    await example.click()
    await page.locator('#typing-status.heard').waitFor({ state: 'attached' })
    expect(asked[0]?.[0]).toEqual({ op: 'validate', gl_string: chosen })
    expect([await box(page).inputValue(), await page.evaluate('document.activeElement.id')]).toEqual([chosen, 'typing']) // prettier-ignore
    await lookUp(page, '  A*03:01  ')
    expect(await text(page, 'echo')).toBe('A*03:01')
    // the answer to an earlier question, or its failure, comes when another has been asked
    for (const isFailing of [false, true]) {
      let release: () => void = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/batch', async (route) => {
        if (!(route.request().postData() ?? '').includes('A*01:01')) return route.fallback()
        await held
        return isFailing ? route.abort() : route.fallback()
      })
      await box(page).fill('A*01:01')
      await page.keyboard.press('Enter')
      expect(await text(page, 'typing-status')).toBe('Looking up …')
      await lookUp(page, 'A*02:01')
      const isLate = (request: Request) => (request.postData() ?? '').includes('A*01:01')
      const late = isFailing
        ? page.waitForEvent('requestfailed', isLate)
        : page.waitForEvent('requestfinished', isLate)
      release()
      await late
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
      expect([await text(page, 'echo'), await text(page, 'typing-status'), await page.locator('#meaning').isVisible()]).toEqual(['A*02:01', 'Valid in 3.58.0. 2 of 3 methods answer.', true]) // prettier-ignore
    }
    complaints.length = 0
  })

  test('a method or level that is chosen before a typing stands in the address', async () => {
    const page = await visit(REDUCED)
    await page.locator('#method').selectOption('S')
    await page.locator('#antigen-level').selectOption('split')
    expect(page.url()).toBe(`${url}?m=S&antigens=split`)
    expect(asked).toEqual([])
    await page.locator('#method').selectOption('lgx')
    expect([await page.locator('#antigen-level').isVisible(), page.url()]).toEqual([false, `${url}?antigens=split`])
    await lookUp(page, 'A*01:01')
    // going back opens what was shown, and a section of the page asks nothing again
    await page.locator('#method').selectOption('G')
    await lookUp(page, 'A*02:01')
    const count = asked.length
    await page.evaluate("location.hash = '#table-title'")
    await page.goBack()
    expect(asked).toHaveLength(count)
    await page.goBack()
    await expect.poll(() => text(page, 'echo')).toBe('A*01:01')
    expect([await box(page).inputValue(), await page.locator('#method').inputValue()]).toEqual(['A*01:01', 'G'])
    await page.goBack()
    await expect.poll(() => page.locator('#meaning').isVisible()).toBe(false)
    expect([await box(page).inputValue(), await text(page, 'typing-status')]).toEqual(['', ''])
  }) // prettier-ignore

  test('sends its token with each request, and says that it is a page', async () => {
    const sent: string[] = []
    const page = await emptyPage(browser, url, complaints)
    await page.route(/\/(?:version|batch)$/, async (route) => {
      const headers = await route.request().allHeaders()
      const of = new URL(route.request().url()).pathname
      sent.push([route.request().method(), of, headers['authorization'], headers['x-hla-words'], /jsonl/.exec(headers['content-type'] ?? '')?.[0]].filter(Boolean).join(' ')) // prettier-ignore
      if (headers['authorization'] !== 'Bearer good')
        return route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'no such token', hint: 'ask for one' } }) // prettier-ignore
      return of === '/version' ? route.fulfill({ json: VERSION }) : route.fulfill({ body: '' })
    })
    await page.goto(url)
    const form = page.locator('#token-form')
    await form.waitFor()
    expect(await text(page, 'release')).toBe('Enter the token of this service first.')
    const enter = async (token: string) => {
      await page.locator('#token').fill(token)
      await page.keyboard.press('Enter')
    }
    await enter('bad')
    await expect.poll(() => text(page, 'release')).toBe('No such token. Ask for one.')
    expect(await form.isVisible()).toBe(true)
    await enter('good')
    await expect.poll(() => text(page, 'release')).toContain('IPD-IMGT/HLA 3.58.0')
    expect(await form.isVisible()).toBe(false)
    await box(page).fill('A*01:01')
    await page.keyboard.press('Enter')
    await expect.poll(() => sent.length).toBe(4)
    expect(sent).toEqual(['GET /version page', 'GET /version Bearer bad page', 'GET /version Bearer good page', 'POST /batch Bearer good page jsonl']) // prettier-ignore
    complaints.length = 0
  })
})
