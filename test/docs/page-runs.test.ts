/** How pages are run: outputs are compared, failures are named, and blocks with missing requirements are skipped. */
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf, withBlocks } from '../support/doc-page.ts'
import { isRun, runPage } from '../support/doc-shell.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

async function ran(name: string, ...lines: readonly string[]) {
  const folder = temp(name)
  mkdirSync(folder)
  return runPage(lines.join('\n'), folder)
}

test('an sh block ends at its first failure, which is named', async () => {
  const { failures } = await ran('failing', '', '```sh', 'echo kept', 'test -e nothing', 'true', '```')
  expect(failures).toEqual([expect.stringMatching(/^line 2: failed: test -e nothing\n/)])
})

test("variables, files and folders stay from block to block; a home is nobody else's", async () => {
  const page = ['```sh', 'mkdir in && cd in; NAME=ada', '```', '`x.csv`:', '```', 'id', '```']
  const shown = ['```sh', 'echo $NAME', 'cat x.csv; pwd', '```', '', '```text', 'ada']
  const { now, failures } = await ran('staying', ...page, ...shown, '```')
  expect(failures).toEqual([])
  expect(now.split('\n').slice(-5)).toEqual(['```text', 'ada', 'id', '~/here/in', '```'])
})

test('a text block shows what its commands print, standard error too, and the last exit status', async () => {
  const page = ['```sh', 'echo one', 'hla redux --no', '```', '', '```text', '```']
  const { now, failures } = await ran('printed', ...page)
  expect(failures).toEqual([])
  expect(now).toMatch(/```text\none\nhla: error: [^]*\n→ exit status 2\n```$/)
})

test('a failure before the last command is named, for it would not be seen', async () => {
  const page = ['```sh', 'test -e nothing', 'echo done', '```', '', '```text', 'done', '```']
  expect((await ran('hidden', ...page)).failures).toEqual(['line 1: failed: test -e nothing\ndone\n'])
})

test('a here document is pasted as it is', async () => {
  const page = ['```sh', 'cat <<END', 'one', 'END', '```', '```text', 'one', '```']
  expect((await ran('here', ...page)).now).toBe(page.join('\n'))
})

test.for([
  ['', true],
  ['<!-- needs: bash -->', true],
  ['<!-- needs: no-such-program -->', false],
  ['<!-- not run: needs the network -->', false],
  ['<!-- run by: test/architecture.test.ts -->', false],
  ['<!-- any other remark -->', true],
] as const)('a block after "%s" is run: %s', ([mark, isExpected]) => {
  expect(blocksOf(`${mark}\n\n\`\`\`sh\ntrue\n\`\`\``).map(isRun)).toEqual([isExpected])
})

test('withBlocks changes only the blocks it is given, also of other lengths', () => {
  const page = '```sh\na\n```\nb\n```sh\nc\nd\n```\n'
  const blocks = blocksOf(page)
  expect(withBlocks(page, new Map(blocks.map((block) => [block, block.lines])))).toBe(page)
  expect(withBlocks(page, new Map(blocks.map((block) => [block, []])))).toBe('```sh\n```\nb\n```sh\n```\n')
})
