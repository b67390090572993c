/** Compiles the examples in docs/api.md and README.md, and runs them against the packed package. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type DocBlock, blocksOf, linksOf, withBlocks } from '../support/doc-page.ts'
import { tempFolder } from '../support/temp.ts'

const ROOT = join(import.meta.dirname, '../..')
const temp = tempFolder()
const run = (program: string, args: readonly string[], cwd: string) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Examples, each with the output shown below it. */
const examples = ['docs/api.md', 'README.md'].flatMap((path) => {
  const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8'))
  return blocks.flatMap((block, at) => {
    const shown = blocks[at + 1]?.language === 'text' ? blocks[at + 1] : undefined
    return block.language === 'ts' ? [{ path, block, shown }] : []
  })
})
const nameOf = ({ path, block }: { path: string; block: DocBlock }) =>
  `${path.replace(/\W/g, '-')}-${block.line}`

beforeAll(() => {
  const consumer = temp('consumer')
  installPacked(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }')
  for (const example of examples)
    writeFileSync(join(consumer, `${nameOf(example)}.ts`), example.block.lines.join('\n'))
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    outDir: 'out',
    types: ['node'],
  }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})

/** Installs the package in npm's layout, with the project's own dependencies instead of a registry's. */
function installPacked(consumer: string): void {
  const modules = join(consumer, 'node_modules')
  mkdirSync(join(modules, 'hla'), { recursive: true })
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', consumer], ROOT)
  run('bash', ['-c', 'tar -xzf hla-*.tgz --strip-components 1 -C node_modules/hla'], consumer)
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
}

describe('the examples in TypeScript', () => {
  test('compile against the packed package, its types included', () => {
    const compiler = join(ROOT, 'node_modules/.bin/tsc')
    const { stdout = '' } = tried(() => run(compiler, ['-p', '.'], temp('consumer')))
    expect(stdout).toBe('')
  })

  test.for(examples)('that of line $block.line of $path prints what is shown', ({ path, block, shown }) => {
    const printed = run('node', [join('out', `${nameOf({ path, block })}.js`)], temp('consumer'))
    const now = printed.trimEnd().split('\n')
    expect(now).not.toEqual([''])
    if (shown === undefined) return
    // writes the current output: read the difference before you commit it
    if (process.env['HLA_UPDATE_SESSIONS']) write(path, shown, now)
    else expect(now).toEqual(shown.lines)
  })
})

test('what README.md links to is in the package', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const missing = linksOf(readme).filter(
    ({ path }) => !existsSync(join(temp('consumer/node_modules/hla'), path)),
  )
  expect(missing).toEqual([])
})

/** Output before a failure; empty on success. */
function tried(work: () => void): { stdout?: string } {
  try {
    work()
    return {}
  } catch (error) {
    // execFileSync throws an error with the output
    return error as { stdout?: string }
  }
}

function write(path: string, block: DocBlock, lines: readonly string[]): void {
  const page = readFileSync(join(ROOT, path), 'utf8')
  // earlier blocks may have grown
  const same = blocksOf(page).find(
    ({ lines: had, language }) => language === 'text' && had.join() === block.lines.join(),
  )
  if (same !== undefined) writeFileSync(join(ROOT, path), withBlocks(page, new Map([[same, lines]])))
}
