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
  const page = ['```sh', 'mkdir in && cd in; NAME=ada', '```', '`x.csv`:', '```', 'id', '```', '```console']
  const { now, failures } = await ran('staying', ...page, '$ echo $NAME; cat x.csv; pwd', 'ada', '```')
  expect(failures).toEqual([])
  expect(now.split('\n').slice(-5)).toEqual(['$ echo $NAME; cat x.csv; pwd', 'ada', 'id', '~/here/in', '```'])
})

test('a console block has the exit status, and standard error where it shows some', async () => {
  const { now } = await ran('console', '```console', '$ hla redux --no', 'hla: ', '$ hla redux --no', '```')
  expect(now).toMatch(/^```console\n\$ hla redux --no\nhla: error: [^]*\n→ 2\n\$ hla redux --no\n→ 2\n```$/)
})

test('a command goes on in lines with their own prompt', async () => {
  const page = ['```console', '$ cat <<END', '> one', '> END', 'one', '```']
  expect((await ran('prompt', ...page)).now).toBe(page.join('\n'))
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
