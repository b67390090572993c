/** Rules created on the page, and their output files: on a desktop and on a phone. */
import { describe, expect, test } from 'vitest'
import { barriersOf, hasChromium } from '../support/browser.ts'
import { choose, folder, openTab, panel, row, status, stored, useStorePage } from '../support/store-page.ts'

describe.skipIf(!hasChromium)('rules of a folder in the page of the store', () => {
  const at = useStorePage({ env: { HLA_RELEASE: 'starter' } })

  test.for([
    ['desk', 1280],
    ['phone', 390],
  ] as const)('are made, seen, carried out and removed on a %s', async ([device, width]) => {
    const who = await at.people.add(`rules-${device}@lab.example`)
    const place = await folder(who, 'incoming')
    const page = await at.enter(who, `/#folder/${place}`, { viewport: { width, height: 900 } })
    await page.getByRole('heading', { name: 'incoming', exact: true }).waitFor()
    await openTab(page, 'Rules')
    const rules = panel(page, 'Rules')
    await rules.getByLabel('Reduce to').selectOption('G group (G)')
    expect(await barriersOf(page)).toEqual([])
    const below = rules.getByLabel('also tables in the folders below')
    await below.check()
    expect(await rules.getByLabel('Results').isDisabled()).toBe(true)
    await below.uncheck()
    await rules.getByRole('button', { name: 'Make rule' }).click()
    await expect.poll(() => status(page).innerText(), { timeout: 20_000 }).toBe('The rule is made.')
    await rules.getByText('1 rule', { exact: true }).waitFor()
    expect(await rules.innerText()).toContain('Tables to G, for ')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await barriersOf(page)).toEqual([])

    const [good, bad] = [
      await stored(who, 'donors.csv', 'ID,A_1,A_2\n1,01:01,02:01\n', { parent: place }),
      await stored(who, 'bad.csv', 'a,b\n1,2\n', { parent: place }),
    ]
    const made = async () => (await who.ask('GET', '/rules', { query: { folder: place } })).json.items[0]
    await expect.poll(made, { timeout: 40_000 }).toMatchObject({ converted: 1, failed: 1 })
    await page.reload()
    await row(page, 'donors.csv').waitFor()
    await openTab(page, 'Rules')
    await rules.getByText('1 converted, 1 failed').waitFor()

    await page.goto(`${at.drive.url}/#file/${good}`)
    const conversions = panel(page, 'Conversions')
    await page.getByRole('heading', { name: 'donors.csv', exact: true }).waitFor()
    await openTab(page, 'Versions')
    await conversions.getByText('up to date').waitFor()
    expect(await conversions.innerText()).toMatch(/by a rule of .* · redux -m G · release 3/)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await barriersOf(page)).toEqual([])
    await conversions.getByRole('link', { name: 'donors.G.csv' }).click()
    await page.getByRole('heading', { name: 'donors.G.csv', exact: true }).waitFor()
    await openTab(page, 'Versions')
    await conversions.getByText('Made from').waitFor()
    expect(await conversions.innerText()).toContain('up to date')
    expect(await barriersOf(page)).toEqual([])
    await page.goto(`${at.drive.url}/#file/${bad}`)
    await page.getByRole('heading', { name: 'bad.csv', exact: true }).waitFor()
    await openTab(page, 'Versions')
    await conversions.getByText('hla could not convert this table').waitFor()
    expect(await barriersOf(page)).toEqual([])

    await page.goto(`${at.drive.url}/#folder/${place}`)
    await page.getByRole('heading', { name: 'incoming', exact: true }).waitFor()
    await openTab(page, 'Rules')
    await rules.getByRole('button', { name: 'Remove the rule to G' }).click()
    await rules.getByText('A rule reduces every table').waitFor()
    expect(await made()).toBeUndefined()
  })

  test('are about the folders below, where they say so too', async () => {
    const who = await at.people.add('rules-below@lab.example')
    const place = await folder(who, 'above')
    const below = await folder(who, 'below', place)
    const page = await at.enter(who, `/#folder/${place}`)
    await page.getByRole('heading', { name: 'above', exact: true }).waitFor()
    await choose(page, 'above', 'Details')
    await openTab(page, 'Rules')
    const rules = panel(page, 'Rules')
    await rules.getByLabel('also tables in the folders below').check()
    await rules.getByRole('button', { name: 'Make rule' }).click()
    await rules.getByText('also in the folders below', { exact: false }).first().waitFor()
    await rules.getByText('1 rule', { exact: true }).waitFor()
    expect(await rules.innerText()).toMatch(/for .*, also in the folders below/)
    await page.goto(`${at.drive.url}/#folder/${below}`)
    await page.getByRole('heading', { name: 'below', exact: true }).waitFor()
    await openTab(page, 'Rules')
    await rules.getByRole('link', { name: 'above' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await rules.getByRole('link', { name: 'above' }).click()
    await page.getByRole('heading', { name: 'above', exact: true }).waitFor()
  })

  test('what was shown before is not taken for a place that cannot be shown', async () => {
    const place = await folder(at.ada, 'shown before')
    const page = await at.enter(at.ada, `/#folder/${place}`)
    await page.getByRole('heading', { name: 'shown before' }).waitFor()
    await openTab(page, 'Rules')
    await panel(page, 'Rules').getByLabel('Reduce to').waitFor()
    await page.goto(`${at.drive.url}/#folder/nope`)
    await page.getByRole('heading', { name: 'This cannot be shown' }).waitFor()
    expect([await status(page).innerText(), await panel(page, 'Rules').count()]).toEqual([
      'File not found: nope',
      0,
    ])
    expect(at.complaints.splice(0)).toEqual([expect.stringContaining('404')])
    await page.goBack()
    await page.getByRole('heading', { name: 'shown before' }).waitFor()
  })

  test('are not offered to who may only read, and files of no rule say nothing of any', async () => {
    const place = await folder(at.ada, 'read only')
    const id = await stored(at.ada, 'plain.csv', 'a\n', { parent: place })
    const body = { type: 'user', role: 'reader', value: at.bob.email }
    await at.ada.ask('POST', `/drive/v2/files/${place}/permissions`, { body })
    const page = await at.enter(at.bob, `/#folder/${place}`)
    await row(page, 'plain.csv').waitFor()
    await openTab(page, 'Activity')
    await panel(page, 'Activity').locator('li').first().waitFor()
    expect(await panel(page, 'Rules').count()).toBe(0)
    await page.goto(`${at.drive.url}/#file/${id}`)
    await openTab(page, 'Versions')
    await panel(page, 'Versions').locator('p, table').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await panel(page, 'Conversions').filter({ visible: true }).count()).toBe(0)
  })

  test('with the link to a folder alone it shows what is in it, also to who is signed in', async () => {
    const place = await folder(at.ada, 'by link')
    await stored(at.ada, 'shown.csv', 'a\n', { parent: place })
    const body = { type: 'anyone', role: 'reader', withLink: true }
    await at.ada.ask('POST', `/drive/v2/files/${place}/permissions`, { body })
    const page = await at.enter(at.bob)
    await page.goto(`${at.drive.url}/#folder/${place}`)
    await expect.poll(() => row(page, 'shown.csv').count(), { timeout: 10_000 }).toBe(1)
  })
})
