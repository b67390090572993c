/** The examples of help, man pages and help topics print what they show. */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { commandLine, withSubcommands } from '../../src/manual/command-facts.ts'
import { commandPages } from '../../src/manual/command-page.ts'
import type { Block, Page } from '../../src/manual/page.ts'
import { topicPages } from '../../src/manual/topics.ts'
import type { Example } from '../../src/operations/operation.ts'
import { installedData } from '../support/installed-data.ts'
import { callHla, callLine } from '../support/call-hla.ts'
import { writeExampleFiles } from '../support/example-files.ts'
import { RUN_FOLDER, runShell } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

const facts = manualFacts(await loadPrograms())
// the examples of hla drive depend on each other, so their own test runs them
const commands = withSubcommands(facts.program).filter(({ words }) => words[0] !== 'drive')
const pages = topicPages(facts)

function folder(name: string): string {
  const cwd = join(RUN_FOLDER, 'examples', name)
  mkdirSync(cwd, { recursive: true })
  return cwd
}

describe.skipIf(!hasShared).concurrent('examples of', () => {
  const changing = commands.filter(({ words }) => ['data', 'config'].includes(words[0] ?? ''))
  const serving = commands.filter(({ words }) => words.at(-1) === 'serve')
  const answering = commands.filter((command) => !changing.includes(command) && !serving.includes(command))

  test.for(
    answering.filter(({ examples }) => examples.length > 0).map((one) => [commandLine(one), one] as const),
  )('%s', async ([name, { examples }]) => {
    const cwd = folder(name)
    writeExampleFiles(cwd)
    const env = { HLA_DATA_DIR: await installedData() }
    for (const example of examples) await expectAsPrinted(example, cwd, env)
  })

  test.for(
    changing.filter(({ examples }) => examples.length > 0).map((one) => [commandLine(one), one] as const),
  )('%s, each on data of its own', async ([name, { examples }]) => {
    for (const [at, example] of examples.entries()) {
      const cwd = folder(`${name}-${at}`)
      await copyData(join(cwd, 'data'))
      writeExampleFiles(cwd)
      symlinkSync(sharedPath('upstream/IMGTHLA'), join(cwd, 'IMGTHLA'))
      copyFileSync(sharedPath('upstream/mac/numer.v3.zip'), join(cwd, 'numer.v3.zip'))
      for (const file of ['ciwd.3.0.0.csv', 'EURCWD.csv'])
        copyFileSync(sharedPath(`upstream/cwd/${file}`), join(cwd, file))
      await expectAsPrinted(example, cwd, {})
    }
  })

  test.for(serving.flatMap(({ examples }) => examples))(
    '$command, until it is ended',
    async ({ command }) => {
      // port 0, since another test may use the given one
      const { stderr, status } = await runShell(`exec ${command.replace(/--port \d+/, '--port 0')}`, {
        cwd: folder('serve'),
        env: { HLA_DATA_DIR: await installedData() },
        signal: 'SIGTERM',
        when: /on http:.*\n/,
      })
      expect(stderr).toMatch(/on http:/)
      expect([0, 143]).toContain(status)
    },
  )
})

/** Links suffice, since the program replaces files and never modifies them in place. */
async function copyData(to: string): Promise<void> {
  await runShell(`cp -al '${await installedData()}' '${to}'`, { cwd: RUN_FOLDER })
}

describe.concurrent('sessions of topic', () => {
  // without a release: examples use only the starter set
  test.for(pages.map((page) => [page.name, page.blocks] as const))('%s', async ([name, blocks]) => {
    await expectSessions(blocks, folder(name), {})
  })

  test.skipIf(!hasShared).for(pages.map((page) => [page.name, page.blocks] as const))(
    '%s, with a release',
    async ([name, blocks]) => {
      await expectSessions(blocks, folder(`${name}-release`), { HLA_DATA_DIR: await installedData() })
    },
  )
})

async function expectSessions(
  blocks: readonly Block[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  for (const block of blocks) {
    if (block.kind === 'file') writeFileSync(join(cwd, block.name), block.text)
    if (block.kind !== 'session') continue
    for (const step of block.steps) await expectAsPrinted(step, cwd, env)
  }
}

async function expectAsPrinted(
  { command, output, exit = 0 }: Example,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { stdout, stderr, status } = await callLine(command, { cwd, env })
  // an empty output means none, not even a line end
  const shown = output === undefined || (output === '' && stdout === '') ? stdout : `${output}\n`
  const said = status === exit ? '' : stderr
  expect({ command, stdout, status, said }).toEqual({ command, stdout: shown, status: exit, said: '' })
}

test('every page has three, those of groups and of hla itself too', () => {
  const sessions = ({ blocks }: Page) =>
    blocks.flatMap((block) => (block.kind === 'session' ? block.steps : []))
  const few = commandPages(facts).filter(
    (page) => new Set(sessions(page).map(({ command }) => command)).size < 3,
  )
  expect(few.map(({ name }) => name)).toEqual([])
})

test('help has at most 80 columns, in brief and in full', async () => {
  const wide = []
  for (const { words } of withSubcommands(facts.program))
    for (const flag of ['-h', '--help']) {
      const { stdout } = await callHla([...words, flag], { cwd: folder('help') })
      expect(stdout).toContain(`Usage: ${commandLine({ words })} `)
      wide.push(...stdout.split('\n').filter((line) => line.length > 80))
    }
  expect(wide).toEqual([])
})

test('help shows those of the page', async () => {
  const { stdout } = await runShell('hla drive limit --help; hla --help', { cwd: folder('help') })
  expect(stdout.match(/^ {2}\$ hla drive limit .*/gm)).toHaveLength(3)
  expect(stdout.match(/^ {2}\$ (?:hla (?:redux|validate)|printf) .*/gm)).toHaveLength(3)
})

test('the help of the store begins with what people do every day', async () => {
  const { stdout } = await callHla(['drive', '--help'], { cwd: folder('help') })
  const [, commands = ''] = stdout.split('Commands:\n')
  expect([...commands.matchAll(/^ {2}(\w+)/gm)].slice(0, 4).map(([, name]) => name)).toEqual(['share', 'put', 'get', 'ls']) // prettier-ignore
})
