/** Advice on tables is printed only after it was tried, and typed it changes the outcome. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const redux = (name: string, ...more: readonly string[]) =>
  callHla(['redux', '-r', 'starter', '-i', name, ...more], { cwd })

test.for([
  [
    'g.csv',
    'id,A_1,A_2\n1,A*01:01g,A*02:01g\n2,A*03:01g,A*24:02g\n',
    '--accept g reads 4 of 4 distinct failed typings, such as A*01:01g',
    'g',
  ],
  [
    'short.csv',
    'id,A,B\n1,02:01/02,07:02/05\n2,02:01/02,08:01\n',
    '--accept shorthand reads 2 of 2 distinct failed typings, such as 02:01/02',
    'shorthand',
  ],
  [
    'two.csv',
    'id,A_1,A_2\n1,a*01:01,A*1:01\n2,A*02:01,low dna\n',
    '--accept case,zero reads 2 of 3 distinct failed typings, such as a*01:01',
    'case,zero',
  ],
] as const)(
  '%s: a leniency is named for whole columns, by what it reads',
  async ([name, text, note, accept]) => {
    writeFileSync(join(cwd, name), text)
    const first = await redux(name)
    expect(first.stderr).toContain(`hla: note: ${note} [accept]\n`)
    const again = await redux(name, '--accept', accept)
    expect(again.stderr).not.toContain('[accept]')
    const failed = (stderr: string) => Number(/(\d+) failed/.exec(stderr)?.[1] ?? 0)
    expect(failed(again.stderr)).toBeLessThan(failed(first.stderr))
  },
)

test('no leniency is named that reads nothing', async () => {
  writeFileSync(join(cwd, 'words.csv'), 'id,A_1,A_2\n1,low dna,A*02:01\n2,A*01:01,foo bar\n')
  expect((await redux('words.csv')).stderr).not.toContain('[accept]')
  // PyPop cannot hold the list
  writeFileSync(join(cwd, 'list.csv'), 'id,A_1,A_2\n1,02:AB,02:01\n')
  const { stderr } = await redux('list.csv', '--output-format', 'pypop')
  expect(stderr).toContain('[not-in-format]')
  expect(stderr).not.toContain('[accept]')
})

test('a leniency is named with those that were accepted', async () => {
  writeFileSync(join(cwd, 'both.csv'), 'id,A_1,A_2\n1,A*02:01g,a*01:01\n')
  expect((await redux('both.csv', '--accept', 'case')).stderr).toContain('--accept case,g reads 1 of 1')
})

test('a delimiter that the table does not have is refused with the one that it has', async () => {
  writeFileSync(join(cwd, 'comma.csv'), 'id,A_1,A_2\n1,A*01:01,A*02:01\n')
  const { status, stderr } = await redux('comma.csv', '-q', '-d', ';')
  expect(status).toBe(2)
  expect(stderr).toBe(
    'hla: error: comma.csv has one column with the delimiter ";"\n  -d , reads its columns\n',
  )
  expect(await redux('comma.csv', '-q', '-d', ',')).toMatchObject({ status: 0, stderr: '' })
})

test.for([
  [
    'id,x,y\n1,07:02,08:01\n',
    'x (typings, but the name has no locus), y (typings, but the name has no locus)\n  -l names the locus of columns',
  ],
  ['id,foo,bar\n1,hello,z\n', '\n  Columns: id foo bar'],
])('no placeholder is printed as an option: %j', async ([text = '', said = '']) => {
  writeFileSync(join(cwd, 'none.csv'), text)
  const { status, stderr } = await redux('none.csv', '-q')
  expect(status).toBe(2)
  expect(stderr).toContain(said)
  expect(stderr).not.toMatch(/=column|LOCUS=/)
})

test.for([
  [
    'columns that would name the samples of a long table',
    'name,Allele,code\nx,A*01:01,1\ny,A*02:01,1\nz,A*03:01,2\nz,A*24:02,2\nw,B*07:02,2\n',
    ['--input-format', 'long'],
    ['--long sample=name', '--input-format table reads each row by itself'],
  ],
  [
    'none, where each row has a value of its own',
    'Locus,Allele,q\nA,A*01:01,1\nA,A*02:01,2\nA,A*03:01,3\nB,B*07:02,5\n',
    [],
    ['--input-format table reads each row by itself'],
  ],
  [
    'a column of GL Strings',
    'id,A_1,A_2\n1,01:01,02:01\n',
    ['--into', 'none'],
    ['--gl-out gl adds a column of GL Strings'],
  ],
  [
    'names that no column has',
    'id,A_1,A_1_lgx,A_2\n1,01:01,x,02:01\n',
    [],
    ["--name '{col}_{method}_2' gives result columns other names", '--into replace adds no columns'],
  ],
  [
    'another name of the GL String',
    'id,A_1,A_2\n1,01:01,02:01\n',
    ['--gl-out', 'id'],
    ['--gl-out id_2 names it otherwise'],
  ],
  ['nothing, where no option changes the outcome', 'id,A_1,A_2\n1,01:01,02:01\n', ['--drbx', 'x'], []],
] as const)('a refusal names %s, and each line works when typed', async ([, text, options, lines]) => {
  writeFileSync(join(cwd, 'refused.csv'), text)
  const { status, stderr } = await redux('refused.csv', '-q', ...options)
  expect(status).toBe(2)
  const said = stderr
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim())
  expect(said.filter((line) => line.startsWith('-'))).toEqual(lines)
  for (const line of lines) {
    const [, flag = '', value = ''] = /^(\S+) '?([^\s']+)/.exec(line) ?? []
    expect(await redux('refused.csv', '-q', ...options, flag, value)).toMatchObject({ status: 0, stderr: '' })
  }
})

test('-g is named for a column of names with their locus, whatever joins them', async () => {
  writeFileSync(
    join(cwd, 'alleles.csv'),
    'sample,alleles,file\nS1,A*01:01;A*02:01,x.vcf\nS2,/path/s2.txt,y.vcf\nS3,/path/s3.txt,z.vcf\n',
  )
  const { status, stderr } = await redux('alleles.csv', '-q')
  expect(status).toBe(2)
  expect(stderr).toContain('alleles (names with their locus)\n  say which: -g alleles   (')
  expect((await redux('alleles.csv', '-g', 'alleles')).stderr).toContain('A*01:01;A*02:01 -> A*01:01+A*02:01')
})

test('-g is named for cells of several loci in the column of one', async () => {
  const haplotypes = 'A*01:01~B*08:01+A*02:01~B*07:02'
  const rows = ['A*01:01', 'A*02:01', 'A*03:01', 'A*24:02', haplotypes].map((cell, at) => `${at},${cell}`)
  writeFileSync(join(cwd, 'loci.csv'), `id,A\n${rows.join('\n')}\n`)
  const { stderr } = await redux('loci.csv')
  expect(stderr).toContain(
    `hla: note: -g A reads 1 of 1 distinct failed typing, such as ${haplotypes} [several-loci]\n`,
  )
  expect((await redux('loci.csv', '-g', 'A')).stderr).toContain('5 typings: 5 ok')
})

test('a column of scores is named for the typings of a long table', async () => {
  const text = 'Sample ID,Locus,Allele,score\nx,A,A*01:01,1\nx,A,A*02:01,2\ny,A,A*03:01,3\ny,B,B*07:02,5\n'
  writeFileSync(join(cwd, 'scores.csv'), text)
  const { stdout } = await redux('scores.csv', '--plan')
  expect(stdout).toContain('more than one value per person; --long scores=score gives each typing its own')
  expect((await redux('scores.csv', '-q', '--long', 'scores=score')).stdout).toContain('A_1_score,A_2_score')
})

describe('a file of a folder', () => {
  test('is refused with the options that read it, which are tried on it', async () => {
    const folder = join(cwd, 'folder')
    mkdirSync(folder)
    writeFileSync(join(folder, 'digits.csv'), 'id,A_1,A_2\n1,0101,203\n2,0201,ND\n3,,2402\n')
    writeFileSync(
      join(folder, 'long.csv'),
      'name,Allele,code\nx,A*01:01,1\ny,A*02:01,1\nz,A*03:01,2\nz,A*24:02,2\n',
    )
    writeFileSync(
      join(folder, 'loop.csv'),
      'Locus,Allele,q\nA,A*01:01,1\nA,A*02:01,2\nA,A*03:01,3\nB,B*07:02,5\n',
    )
    const { stderr } = await redux('folder', '--input-format', 'auto')
    expect(stderr).toContain('say which: --bare-digits v2 or antigen; --bare-digits error reports each cell')
    // no value of --sample-from or --long reads it
    expect(stderr).toContain(
      'loop.csv:1: which column names the sample?; Columns: Locus Allele q [bad-record]',
    )
    for (const value of ['v2', 'antigen', 'error'])
      expect((await redux('folder', '--bare-digits', value)).stderr).not.toContain('say which')
  })

  test('of several, an option for all of them is tried on all', async () => {
    for (const name of ['one.csv', 'two.csv']) writeFileSync(join(cwd, name), 'id,A_1\n1,A*01:01\n')
    const several = ['-i', 'two.csv', '-q', '--into']
    const { stderr } = await redux('one.csv', ...several, 'none')
    expect(stderr).toBe('hla: error: --into none leaves nothing to write\n  --gl-out gl adds a column of GL Strings\n') // prettier-ignore
    expect(await redux('one.csv', ...several, 'none', '--gl-out', 'gl')).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  test('which is a pipe cannot be read again: nothing is advised that was not tried', async () => {
    writeFileSync(join(cwd, 'one.csv'), 'id,A_1\n1,A*01:01\n')
    execFileSync('mkfifo', ['pipe.csv'], { cwd })
    const writer = spawn('cp', ['one.csv', 'pipe.csv'], { cwd })
    const { stderr } = await redux('pipe.csv', '-i', 'one.csv', '-q', '--into', 'none')
    writer.kill()
    expect(stderr).toBe('hla: error: --into none leaves nothing to write\n')
  })
})

test.for([
  ['id,A_1,A_2\n1,0101,203\n2,0201,ND\n', 'whole.csv'],
  ['id,A_1,A_2\n1,01:01,02:01\n', 'typed.csv'],
] as const)('a part of a table is refused with what changes it: %j', async ([text, name]) => {
  writeFileSync(join(cwd, name), text)
  const part = ['--plan-from', name, '-q', '--into']
  expect((await redux(name, ...part, 'none')).stderr).toContain('--gl-out gl adds a column')
  expect((await redux(name, ...part, 'none', '--gl-out', 'gl')).stderr).not.toContain('leaves nothing')
})

describe('a cell', () => {
  test.for([
    ['0101,01:01\n2,101,02:01\n3,01,03:01', '101', ['antigen']],
    ['0101,01:01\n2,02,02:01', '02', ['mixed', 'first-field']],
    ['01,01:01\n2,0201,02:01', '0201', ['mixed', 'v2']],
  ] as const)('of digits names the readings that fit it: %j', async ([rows, digits, readings]) => {
    writeFileSync(join(cwd, 'digits.csv'), `id,A_1,A_2\n1,${rows}\n`)
    const failing = (stderr: string) =>
      stderr.split('\n').find((line) => line.includes(`A_1: ${digits}: digits`))
    const line = failing((await redux('digits.csv', '--bare-digits', digits === '02' ? 'v2' : digits === '0201' ? 'first-field' : 'mixed')).stderr) ?? '' // prettier-ignore
    const [, said = ''] = /choose with --bare-digits ([^[]*) \[/.exec(line) ?? []
    expect([line.includes('digits without'), said.split(/, | or /).filter(Boolean)]).toEqual([true, readings])
    for (const reading of readings)
      expect(failing((await redux('digits.csv', '--bare-digits', reading)).stderr)).toBeUndefined()
  })

  test.for([
    ['A*01:01|A*02:01', ['pipe', 'none']],
    // B8 is another locus
    ['01:01|B8', []],
    ['A*01:01_A*02:01', ['_']],
  ] as const)('of two typings names the separators that read it: %s', async ([cell, separators]) => {
    writeFileSync(join(cwd, 'cells.csv'), `id,A\n1,A*03:01\n2,${cell}\n3,A*24:02\n`)
    const failing = (stderr: string) =>
      stderr.split('\n').find((line) => line.endsWith('[ambiguous-separator]'))
    const line = failing((await redux('cells.csv')).stderr) ?? ''
    expect([...line.matchAll(/--cell-separator (\S+)/g)].map(([, one]) => one)).toEqual(separators)
    for (const separator of separators)
      expect(failing((await redux('cells.csv', '--cell-separator', separator)).stderr)).toBeUndefined()
  })

  test.for([
    ['1,"A*01:01"x,A*02:01', ['lazy', 'none']],
    ['1,"A*01:01"x,A*02:01,A*03:01', []],
    ['1,"A*01:01,A*02:01\n2,A*03:01,A*24:02"', ['none']],
    ['1,"note\n"x', []],
  ] as const)(
    'of odd quotes names the readings that give the row its fields: %j',
    async ([rows, readings]) => {
      writeFileSync(join(cwd, 'quotes.csv'), `id,A_1,A_2\n0,A*01:01,A*02:01\n${rows}\n`)
      const line = (stderr: string) =>
        stderr.split('\n').find((one) => /\[(?:bad-quote|ragged-row)\]/.test(one))
      const failed = line((await redux('quotes.csv')).stderr) ?? ''
      expect([...failed.matchAll(/--quote (\w+)/g)].map(([, one]) => one)).toEqual(readings)
      expect(failed).not.toContain('--ragged')
      for (const reading of readings)
        expect(line((await redux('quotes.csv', '--quote', reading)).stderr)).toBeUndefined()
    },
  )

  test.for([['2,A*01:01'], ['2,A*01:01,A*02:01,,']])(
    'of a ragged row that loses nothing is padded: %j',
    async ([row]) => {
      writeFileSync(join(cwd, 'ragged.csv'), `id,A_1,A_2\n1,A*01:01,A*02:01\n${row}\n`)
      expect((await redux('ragged.csv')).stderr).toContain('--ragged pad')
      expect((await redux('ragged.csv', '--ragged', 'pad')).stderr).not.toContain('[ragged-row]')
    },
  )
})

test.for([
  ['diff', 'side.csv', 'other.csv'],
  ['match', '--patients', 'side.csv', '--donors', 'other.csv'],
  ['count', '-i', 'side.csv'],
])('what is advised on a file of persons works when typed: hla %s', async (words) => {
  const text = 'id,B_1,B_2,alleles\n1,07:02,08:01,A*01:01;A*02:01\n2,07:02,08:01,A*03:01;A*24:02\n'
  for (const name of ['side.csv', 'other.csv']) writeFileSync(join(cwd, name), text)
  const run = (...more: readonly string[]) => callHla([...words, '-r', 'starter', ...more], { cwd })
  expect((await run()).stderr).toContain('not read: alleles (names with their locus; -g alleles)')
  expect((await run('-g', 'alleles')).stderr).not.toContain('not read')
  const refused = await run('-q', '-d', ';')
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('  -d , reads its columns\n') })
  expect((await run('-q', '-d', ',')).stderr).not.toContain('reads its columns')
})

test('what is advised on a folder of persons is kept, and works when typed', async () => {
  mkdirSync(join(cwd, 'persons'))
  for (const name of ['a', 'b'])
    writeFileSync(join(cwd, 'persons', `${name}.csv`), `id,A_1,A_2\n${name},A*01:01,A*02:01\n`)
  const run = (...more: readonly string[]) =>
    callHla(['count', '-r', 'starter', '-q', '-i', 'persons', ...more], { cwd })
  expect((await run('-d', ';')).stderr).toContain('  -d , reads its columns\n')
  expect(await run('-d', ',')).toMatchObject({ status: 0, stderr: '' })
})
