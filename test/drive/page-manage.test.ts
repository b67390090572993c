/** Bulk operations in the page of the store: move, copy, star, delete, download. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import yauzl from 'yauzl'
import { describe, expect, test } from 'vitest'
import { barriersOf, hasChromium } from '../support/browser.ts'
import type { Person } from '../support/people.ts'
import {
  choose,
  DONORS,
  folder,
  make,
  openSharing,
  openTab,
  panel,
  rename,
  row,
  status,
  stored,
  useStorePage,
} from '../support/store-page.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe.skipIf(!hasChromium)('many files in the page of the store', () => {
  const at = useStorePage()
  const parentsOf = async (who: Person, id: string): Promise<string[]> =>
    (await who.ask('GET', `/drive/v2/files/${id}`)).json.parents.map((one: { id: string }) => one.id)

  test('moves a file by the menu, and several that were dragged', async () => {
    const who = await at.people.add('mover@lab.example')
    const [to, inner] = [await folder(who, 'year 2026'), await folder(who, 'year 2025')]
    const ids = [await stored(who, 'a.csv'), await stored(who, 'b.csv'), await stored(who, 'c.csv')]
    const page = await at.enter(who)
    await choose(page, 'a.csv', 'Move')
    const dialog = page.getByRole('dialog', { name: 'Move a.csv' })
    await dialog.getByRole('button', { name: 'year 2026' }).click()
    await dialog.getByText('There are no folders here.').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await expect.poll(() => status(page).innerText()).toBe('a.csv is in year 2026 now.')
    expect(await parentsOf(who, ids[0]!)).toEqual([to])
    await page.getByLabel('Select b.csv').check()
    await page.getByLabel('Select c.csv').check()
    await page.getByText('2 selected').waitFor()
    await row(page, 'b.csv').dragTo(row(page, 'year 2025'))
    await expect.poll(() => status(page).innerText()).toBe('2 items are in year 2025 now.')
    expect([await parentsOf(who, ids[1]!), await parentsOf(who, ids[2]!)]).toEqual([[inner], [inner]])
    // then move it back to a parent folder
    await page.getByRole('link', { name: 'year 2025' }).click()
    await row(page, 'b.csv').dragTo(page.locator('#above').getByRole('link', { name: 'My Drive' }))
    await expect.poll(() => row(page, 'b.csv').count()).toBe(0)
    expect(await parentsOf(who, ids[1]!)).not.toEqual([inner])
  })

  test('says what could not be moved, and moves the rest', async () => {
    const who = await at.people.add('half@lab.example')
    const to = await folder(who, 'target')
    const ids = [await stored(who, 'first.csv'), await stored(who, 'second.csv')]
    const page = await at.enter(who)
    await page.getByLabel('Select all').check()
    // another user was faster
    await who.ask('DELETE', `/drive/v2/files/${ids[0]}`)
    await page.getByLabel('Select target').uncheck()
    await page.getByRole('button', { name: 'Move (selected)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move 2 items' })
    await dialog.getByRole('button', { name: 'target' }).click()
    await dialog.getByText('There are no folders here.').waitFor()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await expect.poll(() => status(page).innerText()).toContain('1 of 2 items are in target now. first.csv: ')
    expect(await parentsOf(who, ids[1]!)).toEqual([to])
    expect(at.complaints.splice(0)).toEqual([expect.stringContaining('404')])
  })

  test('copies, stars and lists what is starred and recent', async () => {
    const who = await at.people.add('copier@lab.example')
    await stored(who, 'source.csv')
    const page = await at.enter(who)
    await choose(page, 'source.csv', 'Copy')
    await page.getByRole('dialog').getByText('There are no folders here.').waitFor()
    await page.getByRole('button', { name: 'Copy here' }).click()
    await row(page, 'Copy of source.csv').waitFor()
    await choose(page, 'Copy of source.csv', 'Star')
    await row(page, 'Copy of source.csv').getByRole('img', { name: 'starred' }).waitFor()
    await page.getByRole('link', { name: 'Starred' }).click()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    expect(await page.locator('.listing tbody th a').allInnerTexts()).toEqual(['Copy of source.csv'])
    await choose(page, 'Copy of source.csv', 'Remove star')
    await page.getByText('Nothing is starred yet.').waitFor()
    await page.getByRole('link', { name: 'Recent' }).click()
    await row(page, 'Copy of source.csv').waitFor()
    expect(await page.locator('.listing tbody tr').count()).toBe(2)
    expect(await page.locator('nav [aria-current]').innerText()).toBe('Recent')
  })

  test('deletes for ever when that is confirmed, and empties the trash', async () => {
    const who = await at.people.add('tidy@lab.example')
    for (const name of ['one.csv', 'two.csv', 'three.csv']) {
      await who.ask('POST', `/drive/v2/files/${await stored(who, name)}/trash`)
    }
    const page = await at.enter(who, '/#trash')
    await choose(page, 'one.csv', 'Delete for ever')
    await page.getByRole('dialog').getByText('cannot be restored').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await row(page, 'one.csv').count()).toBe(1)
    await choose(page, 'one.csv', 'Delete for ever')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click()
    await expect.poll(() => row(page, 'one.csv').count()).toBe(0)
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
    await expect.poll(() => status(page).innerText()).toBe('All your items in the trash are deleted.')
    await page.getByText('The trash is empty.').waitFor()
    expect(await page.getByRole('button', { name: 'Empty trash' }).count()).toBe(0)
    const { json } = await who.ask('GET', '/drive/v2/files', { query: { q: 'trashed = true' } })
    expect(json.items).toEqual([])
  })

  test('saves a folder with all that is in it as a zip, with names that are safe on disks', async () => {
    const who = await at.people.add('zip@lab.example')
    const year = await folder(who, 'year/2026')
    await stored(who, '..', 'dots\n', { parent: year })
    await stored(who, 'same.csv', 'one\n', { parent: year })
    await stored(who, 'Same.csv', 'two\n', { parent: year })
    await stored(who, 'größe.csv', DONORS, { parent: await folder(who, 'inner', year) })
    await folder(who, 'empty', year)
    const page = await at.enter(who)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, 'year/2026', 'Download'),
    ])
    expect(download.suggestedFilename()).toBe('year_2026.zip')
    const inside = await unzipped(await download.path())
    expect(inside.get('year_2026/inner/größe.csv')).toBe(DONORS)
    expect([...inside.keys()].toSorted()).toEqual(
      ['empty/', '', '_', 'inner/', 'inner/größe.csv', 'same.csv', 'same (2).csv']
        .map((name) => `year_2026/${name}`)
        .map((name) => (inside.has(name) ? name : name.replace('same', 'Same')))
        .toSorted(),
    )
    expect([...inside.values()].toSorted()).toEqual(
      ['', '', '', DONORS, 'dots\n', 'one\n', 'two\n'].toSorted(),
    )
  })

  test('uploads a folder with its folders, into those that are there', async () => {
    const who = await at.people.add('folders@lab.example')
    const there = await folder(who, 'registry')
    mkdirSync(temp('registry/2026/may'), { recursive: true })
    writeFileSync(temp('registry/all.csv'), DONORS)
    writeFileSync(temp('registry/2026/may/new.csv'), DONORS)
    const page = await at.enter(who)
    await page.getByLabel('Upload a folder').setInputFiles(temp('registry'))
    await page.getByText('2 uploaded').waitFor()
    // successes are counted, not listed
    expect(await page.locator('#upload-list li').filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('.listing tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'registry' }).click()
    await row(page, 'all.csv').waitFor()
    await page.getByRole('link', { name: '2026' }).click()
    await page.getByRole('link', { name: 'may' }).click()
    await row(page, 'new.csv').waitFor()
    expect(await page.locator('#above').innerText()).toContain('registry')
    expect(await parentsOf(who, there)).toHaveLength(1)
    await page.getByRole('button', { name: 'Clear finished' }).click()
    expect(await page.locator('#uploads').isHidden()).toBe(true)
  })

  test('makes a shared drive, with members, another name and an end', async () => {
    const page = await at.enter(at.ada, '/#drives')
    await make(page, 'Shared drive', 'Registry')
    await expect.poll(() => status(page).innerText()).toBe('The shared drive Registry is created.')
    await page.locator('#view').getByRole('link', { name: 'Registry' }).click()
    await page.getByRole('heading', { name: 'Registry' }).waitFor()
    await openSharing(page)
    const members = panel(page, 'Members')
    await members.getByLabel('Address').fill('bob@lab.example')
    await members.getByLabel('Access', { exact: true }).selectOption('fileOrganizer')
    await members.getByRole('button', { name: 'Add member' }).click()
    await members.getByRole('button', { name: 'Remove bob (bob@lab.example)' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    const other = await at.enter(at.bob)
    await other.getByRole('link', { name: 'Registry' }).click()
    await other.getByRole('button', { name: 'New', exact: true }).waitFor()
    await rename(page, 'Registry', 'Registry of the north')
    await page.getByRole('heading', { name: 'Registry of the north' }).waitFor()
    await choose(page, 'Registry of the north', 'Delete shared drive')
    await page
      .getByRole('dialog', { name: 'Delete the shared drive' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByRole('heading', { name: 'Shared drives', exact: true }).waitFor()
    const { json } = await at.bob.ask('GET', '/drive/v2/drives')
    expect(json.items).toEqual([])
  })

  test('shows images and documents, as what they are named and never as a page', async () => {
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const page = await at.openFile(at.ada, await stored(at.ada, 'gel.png', dot, { type: 'image/png' }))
    const image = panel(page, 'Preview').getByRole('img', { name: 'gel.png' })
    await image.waitFor()
    expect(await image.evaluate('document.querySelector("img.media").naturalWidth')).toBe(1)
    const pdf = await stored(at.ada, 'report.pdf', '<script>top.document.title = 1</script>', {
      type: 'application/pdf',
    })
    await page.goto(`${at.drive.url}/#file/${pdf}`)
    await page.locator('iframe.media').waitFor()
    const drawing = await stored(at.ada, 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', {
      type: 'image/svg+xml',
    })
    await page.goto(`${at.drive.url}/#file/${drawing}`)
    await panel(page, 'Preview').getByText('There is no preview').waitFor()
    expect(await page.locator('.media').count()).toBe(0)
    expect(await page.title()).toBe('drawing.svg · Files')
  })

  test('compares a version with the one before', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at},01:01,02:01`)
    const id = await stored(at.ada, 'compared.csv', `${lines.join('\n')}\n`)
    const now = lines.with(20, '20,01:01,03:01').concat('40,24:02,')
    const headers = { 'content-type': 'text/csv' }
    await at.ada.ask('PUT', `/upload/drive/v2/files/${id}`, { body: `${now.join('\n')}\n`, headers })
    const page = await at.openFile(at.ada, id)
    await openTab(page, 'Versions')
    await panel(page, 'Versions')
      .getByRole('button', { name: /^Compare version 3 with version 2/ })
      .first()
      .click()
    await panel(page, 'Versions').getByText('2 lines added, 1 line removed.').waitFor()
    expect(await page.locator('.difference ins').allInnerTexts()).toEqual(
      ['+ 20,01:01,03:01', '+ 40,24:02,'].map((line) => expect.stringContaining(line)),
    )
    expect(await page.locator('.difference del').innerText()).toContain('− 20,01:01,02:01')
    expect(await page.locator('.difference').innerText()).not.toContain('35,01:01')
    // each has its own line
    const marked = await page.locator('.difference :is(ins, del)').all()
    const tops = await Promise.all(marked.map(async (line) => (await line.boundingBox())?.y))
    expect(new Set(tops).size).toBe(3)
    expect(await barriersOf(page)).toEqual([])
  })

  test('tells who did what with a file, suggests whom it knows, and copies a link', async () => {
    const id = await stored(at.ada, 'activity.csv')
    await at.people.group('typists@lab.example', at.bob.email)
    await at.ada.ask('POST', `/drive/v2/files/${id}/permissions`, {
      body: { type: 'group', role: 'writer', value: 'typists@lab.example' },
    })
    const headers = { 'content-type': 'text/csv' }
    await at.bob.ask('PUT', `/upload/drive/v2/files/${id}`, { body: 'a\n', headers })
    await at.bob.ask('POST', `/drive/v2/files/${id}/comments`, { body: { content: 'Typed again.' } })
    for (const alt of ['media', 'json']) await at.bob.ask('GET', `/drive/v2/files/${id}`, { query: { alt } })
    const page = await at.openFile(at.ada, id)
    await openTab(page, 'Activity')
    const happened = panel(page, 'Activity').locator('li')
    await expect
      .poll(() => happened.allInnerTexts())
      .toEqual(
        [
          'bob@lab.example opened it',
          'bob@lab.example downloaded it',
          'bob commented: Typed again.',
          'bob uploaded a new version (2 bytes)',
          'ada@lab.example changed who has access',
          'ada uploaded a new version (62 bytes)',
          'ada created it',
        ].map((text): unknown => expect.stringContaining(text)),
      )
    await openSharing(page)
    await expect
      .poll(() => page.evaluate('[...document.querySelectorAll("#people option")].map(({ value }) => value)'))
      .toEqual(expect.arrayContaining(['bob@lab.example', 'typists@lab.example']))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => status(page).innerText()).toContain('The link is copied.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${at.drive.url}/#file/${id}`)
  })

  test('shares until a day', async () => {
    const id = await stored(at.ada, 'until.csv')
    const page = await at.openFile(at.ada, id)
    await openSharing(page)
    const sharing = panel(page, 'Sharing')
    await sharing.getByLabel('Address').fill('bob@lab.example')
    const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await sharing.getByLabel('Until').fill(day)
    await sharing.getByRole('button', { name: 'Share', exact: true }).click()
    await sharing
      .locator('tbody tr', { hasText: 'bob' })
      .getByText(/ until /)
      .waitFor()
    const { json } = await at.ada.ask('GET', `/drive/v2/files/${id}/permissions`)
    const of = json.items.find(({ emailAddress }: { emailAddress?: string }) => emailAddress === at.bob.email)
    expect(of.expirationDate.slice(0, 10)).toBe(day)
  })

  test('shows what is used of the storage', async () => {
    const who = await at.people.add('full@lab.example')
    await stored(who, 'big.csv', 'x'.repeat(123_000))
    const page = await at.enter(who)
    await expect.poll(() => page.locator('#storage').innerText()).toContain('123 kB used')
    await page.getByLabel('Upload files').setInputFiles({
      name: 'more.csv',
      mimeType: 'text/csv',
      buffer: Buffer.alloc(77_000),
    })
    await expect.poll(() => page.locator('#storage').innerText()).toContain('200 kB used')
    await choose(page, 'more.csv', 'Delete')
    await expect.poll(() => page.locator('#storage').innerText()).toContain('77 kB of it in the trash')
  })

  test('has a line for each item, and a menu by its button and by a right click', async () => {
    const who = await at.people.add('lines@lab.example')
    const place = await folder(who, 'many')
    const id = await stored(who, 'a long name of a table that a laboratory exports every day.csv', DONORS, { parent: place })
    await Promise.all(
      Array.from({ length: 99 }, (_, n) =>
        who.ask('POST', '/drive/v2/files', { body: { title: `donor ${n}.csv`, mimeType: 'text/csv', parents: [{ id: place }] } }),
      ),
    )
    const page = await at.enter(who, `/#folder/${place}`, { viewport: { width: 390, height: 844 } })
    await expect.poll(() => page.locator('.listing tbody tr').count()).toBe(100)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(8000)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await barriersOf(page)).toEqual([])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize({ width: 1280, height: 900 })
    const long = row(page, 'a long name')
    expect((await long.boundingBox())?.height).toBeLessThan(50)
    await long.click({ button: 'right', position: { x: 200, y: 10 } })
    const menu = page.locator('.menu:popover-open')
    expect(await menu.getByRole('button').allInnerTexts()).toEqual([
      'Rename', 'Share', 'Copy link', 'Download', 'Move', 'Versions', 'Details', 'Copy', 'Star', 'Delete',
    ])
    await menu.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(`${at.drive.url}/#file/${id}`)
    await long.click({ button: 'right', position: { x: 200, y: 10 } })
    await menu.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('New name').fill('today.csv')
    await page.keyboard.press('Enter')
    await expect.poll(() => status(page).innerText()).toContain('is now called today.csv.')
    expect((await who.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('today.csv')
    await choose(page, 'today.csv', 'Share')
    await page.getByRole('dialog', { name: 'Share today.csv' }).waitFor()
    await panel(page, 'Sharing').getByLabel('Address').waitFor()
    expect(await barriersOf(page)).toEqual([])
  }) // prettier-ignore
})

/** File name -> text. */
function unzipped(file: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(readFileSync(join(file)), { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (failed, stream) => {
          if (failed !== null) return reject(failed)
          const parts: Buffer[] = []
          stream.on('data', (part: Buffer) => parts.push(part))
          stream.on('end', () => {
            found.set(entry.fileName, Buffer.concat(parts).toString())
            zip.readEntry()
          })
        })
      })
      zip.on('end', () => resolve(found))
      zip.on('error', reject)
      zip.readEntry()
    })
  })
}
