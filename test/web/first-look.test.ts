/** First contact with a service process: the command line and a browser get the same answer. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasChromium, openBrowser, visitPage } from '../support/browser.ts'
import { runHla } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')
const temp = tempFolder()

function serve(cwd: string): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--access-log', 'off'], {
    cwd,
    env: { HOME: cwd, HLA_SYSTEM_DATA_DIR: join(cwd, 'no') },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const url = /on (http:\S+)\n/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('exit', () => reject(new Error(said)))
  })
}

test('the command line asks a service', async () => {
  const cwd = temp('.')
  const url = await serve(cwd)
  const ran = await runHla(['redux', '--remote', url, '-m', 'G', 'A*01:01:01:01'], {
    cwd,
    env: { HOME: cwd },
  })
  expect(ran).toMatchObject({ stdout: 'A*01:01:01G\n', status: 0 })
})

test.skipIf(!hasChromium)('a person asks its page', async () => {
  const url = await serve(temp('.'))
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const complaints: string[] = []
  const page = await visitPage(browser, url, complaints)
  await page.getByLabel('Typing', { exact: true }).fill('A*01:01:01:01')
  await page.keyboard.press('Enter')
  await page.locator('#result').getByText('A*01:01', { exact: true }).waitFor()
  await page.getByText('Other methods', { exact: true }).click()
  await page.getByText('A*01:01:01G').first().waitFor()
  expect(complaints).toEqual([])
})
