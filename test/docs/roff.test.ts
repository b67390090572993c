/** Pages as roff and as plain text: groff's warnings, the escaping of text, and how lines break. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../src/cli/commands/programs.ts'
import { manualFacts } from '../../src/cli/run/manual/show.ts'
import { generatedFiles } from '../../src/manual/generated-files.ts'
import { exampleList, type CommandFacts } from '../../src/manual/command-facts.ts'
import { commandPages } from '../../src/manual/command-page.ts'
import type { Block } from '../../src/manual/page.ts'
import { toPlain } from '../../src/manual/plain.ts'
import { toRoff } from '../../src/manual/roff.ts'
import { tempFolder } from '../support/temp.ts'
import { noteSkipped } from '../support/skipped.ts'

const temp = tempFolder()

const hasGroff = spawnSync('groff', ['--version']).status === 0
if (!hasGroff) noteSkipped('man pages are not formatted without groff')
const facts = manualFacts(await loadPrograms())
const pages = [...generatedFiles(facts)].filter(([path]) => path.startsWith('man/'))

describe.skipIf(!hasGroff)('groff', () => {
  test('has nothing to say about any page', () => {
    // groff's messages name the file
    for (const [path, text] of pages) writeFileSync(temp(basename(path)), text)
    const files = pages.map(([path]) => temp(basename(path)))
    const { stdout, stderr } = groff('', 'ascii', files)
    expect(stderr).toBe('')
    // each page begins with a heading of its own
    expect(stdout.match(/^NAME$/gm)?.length).toBe(pages.length)
  })

  test.for(['ascii', 'utf8'])('prints what can be copied to a shell (%s)', (device) => {
    const command = "hla redux -m G 'A*01:01^B*07:02~C*07:02' -f json"
    const page = {
      name: 'x',
      section: 1,
      summary: 'x',
      blocks: [{ kind: 'session', steps: [{ command, output: '.x\\n' }] }],
    } as const
    expect(groff(toRoff(page, 'hla'), device).stdout).toContain(`$ ${command}\n           .x\\n\n`)
  })
})

function groff(
  text: string,
  device: string,
  files: readonly string[] = [],
): { stdout: string; stderr: string } {
  const { stdout, stderr } = spawnSync(
    'groff',
    ['-man', '-ww', `-T${device}`, '-P-c', '-P-b', '-P-u', ...files],
    { input: text, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  return { stdout, stderr }
}

test('a page is ASCII, whatever it says', () => {
  const wrong = pages.filter(([, text]) => /[^\n\t -~]/.test(text)).map(([path]) => path)
  expect(wrong).toEqual([])
})

/** Lines of a page with these blocks, behind its title and name. */
function roffOf(...blocks: readonly Block[]): string[] {
  return toRoff({ name: 'x', section: 7, summary: 'x', blocks }, 'hla 1').split('\n').slice(6, -1)
}

function plainOf(...blocks: readonly Block[]): string[] {
  return toPlain({ name: 'x', section: 7, summary: 'x', blocks }).split('\n').slice(2, -1)
}

const text = (of: string): Block => ({ kind: 'text', text: of })
/** A table with a row of this width. */
const table = (width: number): Block => ({ kind: 'table', head: ['a', '', '`c`'], rows: [['bb', '', 'x'.repeat(width - 6)]] }) // prettier-ignore
const file = (content: string): Block => ({ kind: 'file', name: 'a-b.csv', text: content })

describe('in roff', () => {
  test('the title names page, section and program', () => {
    const page = { name: 'hla-x', section: 7, summary: '`x` of "y"', blocks: [] } as const
    expect(toRoff(page, 'hla "1"').split('\n').slice(2)).toEqual([
      '.TH "HLA-X" 7 "" "hla \\(dq1\\(dq" "Manual of hla"',
      '.ad l',
      '.SH NAME',
      'hla-x \\- \\fBx\\fR of "y"',
      '.SH DESCRIPTION',
      '',
    ])
  })

  test.for([
    ['a `b-c` d `-e`.', 'a \\fBb\\-c\\fR d \\fB\\-e\\fR.'],
    ['.x', '\\&.x'],
    ["'x' a", "\\&'x' a"],
    ['a.b', 'a.b'],
    ['a\\b…c…', 'a\\eb...c...'],
    ['é é 山 𝄞', '\\[u00E9] \\[u00E9] \\[u5C71] \\[u1D11E]'],
  ] as const)('the text %j is %j', ([given, line]) =>
    expect(roffOf(text(given))).toEqual(['.SH DESCRIPTION', '.PP', line]),
  )

  test('a heading is in capitals, and takes the place of the first', () => {
    const headings: Block[] = [
      { kind: 'heading', text: 'a "b"' },
      { kind: 'subheading', text: 'a "b"' },
    ]
    expect(roffOf(...headings)).toEqual(['.SH "A \\(dqB\\(dq"', '.SS "a \\(dqb\\(dq"'])
    const [first = text(''), second = text('')] = headings
    expect(roffOf(second, first)[0]).toBe('.SH DESCRIPTION')
  })

  test('a table that fits is one, with aligned columns', () => {
    const [, , , , ...rows] = roffOf(table(68))
    expect(rows).toEqual(['a     c', `bb    ${'x'.repeat(62)}`, '.EE', '.RE'])
    expect(roffOf(table(69)).slice(1)).toEqual(['.TP', '\\fBbb\\fR', `${'x'.repeat(63)}.`])
  })

  test('a file ends where its last line does', () => {
    const [, ...lines] = roffOf(file('a\nb\n\n'))
    expect(lines).toEqual(['.PP', '\\fBa\\-b.csv\\fR:', '.PP', '.RS 4', '.EX', 'a', 'b', '', '.EE', '.RE'])
  })
})

describe('in plain text', () => {
  test('lines break before the 79th column', () => {
    const word = (length: number) => 'x'.repeat(length)
    expect(plainOf(text(`${word(38)}\n ${word(38)} y`))).toEqual([`  ${word(38)} ${word(38)}`, '  y'])
    expect(plainOf(text(`${word(38)} \`${word(39)}\``))).toEqual([`  ${word(38)}`, `  ${word(39)}`])
    expect(plainOf(text(`${word(90)} y`))).toEqual([`  ${word(90)}`, '  y'])
  })

  test('a term stands beside its text, or above it', () => {
    const long = `${'x'.repeat(50)} yyyy z`
    const terms = (...list: (readonly [string, string])[]): Block => ({ kind: 'terms', terms: list })
    expect(plainOf(terms(['`-a`', long]))).toEqual([
      `  -a${' '.repeat(20)}${'x'.repeat(50)} yyyy`,
      `${' '.repeat(24)}z`,
    ])
    expect(plainOf(terms(['a'.repeat(20), 'b'], ['a'.repeat(21), 'b'], ['c', '']))).toEqual([
      `  ${'a'.repeat(20)}  b`,
      `  ${'a'.repeat(21)}`,
      `${' '.repeat(24)}b`,
      '  c',
    ])
  })

  test('a table that fits is one, with aligned columns', () => {
    expect(plainOf(table(77))).toEqual(['  a     c', `  bb    ${'x'.repeat(71)}`])
    expect(plainOf(table(78))).toEqual([`  bb${' '.repeat(20)}${'x'.repeat(72)}.`])
  })

  test('headings, files and commands stand above what is theirs', () => {
    const session: Block = { kind: 'session', steps: [{ command: 'a', output: 'b\n\nc' }, { command: 'd' }] } // prettier-ignore
    const heading: Block = { kind: 'heading', text: 'one' }
    expect(plainOf(heading, text('a'), heading, file('a\n\nb\n'), { kind: 'subheading', text: '`two`' }, session)).toEqual([
      'ONE:', '  a', '', 'ONE:', '  a-b.csv:', '    a', '', '    b', '', '  two:', '  $ a', '  b', '', '  c', '  $ d',
    ]) // prettier-ignore
  })
})

test.for([
  ['Reduces typings', 'reduces typings'],
  ['DRBX of a Genotype', 'DRBX of a Genotype'],
  ['A to B', 'A to B'],
])('behind the name of a page, "%s" is "%s"', ([summary = '', shown]) => {
  const program: CommandFacts = { ...facts.program, commands: [], summary }
  expect(commandPages({ ...facts, program }).map((page) => page.summary)).toEqual([shown])
})

test('a group with few examples shows the first ones of its commands, each once', () => {
  const examples = (names: string) => names.split('').map((command) => ({ command }))
  const shown = (own: string, ...below: string[]) =>
    exampleList(examples(own), below.map(examples)).map(({ command }) => command).join('') // prettier-ignore
  expect([shown('abc', 'd'), shown('abcd'), shown(''), shown('', '', '')]).toEqual(['abc', 'abcd', '', ''])
  expect([shown('', 'adg', 'be', 'c'), shown('a', 'abc', 'de'), shown('a', 'b')]).toEqual([
    'abc',
    'adb',
    'ab',
  ])
})
