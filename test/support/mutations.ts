/** Damaged tables: valid ones in the forms that laboratories use, with damaged bytes. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'

export interface MutatedTable {
  readonly name: string
  readonly bytes: Buffer
  /** Description of the damage, for failure messages. */
  readonly damage: readonly string[]
  /** Short form for failure messages, since tables can be large. */
  readonly [fc.toStringMethod]: () => string
}

interface Base {
  readonly name: string
  readonly lines: readonly string[]
  readonly eol: string
}

const BASES: readonly Base[] = [
  {
    name: 'pairs.csv',
    eol: '\n',
    lines: [
      'id,A_1,A_2,DRB1_1,gl,note',
      '1,01:01,02:AB,0301,A*01:01+A*02:01^B*07:02,"a ""b"", c"',
      '2,A*24:329,0.0430555555555556,04:NEW,,',
      '3, 24:02 ,A*01:01/A*02:01,DRB1*15:01,A*01:01,x',
      '4,NNNN,,1501,HLA-A*02:01+HLA-A*03:01,',
    ],
  },
  {
    name: 'donors.tsv',
    eol: '\r\n',
    lines: ['ID\tA1\tA2\tB1\tB2', '1\t1\t3\t8\t44', '2\t11\t33\t\t14', '3\t2\t2\t7\t7', '4\t24\t99\t5\t8'],
  },
  {
    name: 'pat.txt',
    eol: '\n',
    lines: ['P1%A*01:01+A*02:01^B*07:02+B*08:01', 'P2%A*01:AB+A*03:01', 'P3%A*24:02/A*24:03+A*01:01'],
  },
  {
    name: 'data.pop',
    eol: '\r\n',
    lines: ['lab\tmethod', 'X\tNGS', 'Id\tA_1\tA_2\tDRB3_1\tDRB3_2', '1\t01:01\t02:01\t00:00\t****', '2\t24:02\t24:02\t01:01\t00:00'],
  },
  { name: 'old.csv', eol: '\n', lines: ['id,A.1,A.2,B.1,B.2', 'a,0101,0201,0702,0801', 'b,0101,9999,0702,07', 'c,2402,0301,,0801'] },
  {
    name: 'joined.csv',
    eol: '\n',
    lines: ['sep=;', 'id;A;B;C;note', '1;01:01,24:02;07:02,08:01;04:01/07:01;x', '2;02:01,02:01;="07:02";\'07:01;"a;b"', '3;01:01,-;99:99,08:01;;', '4;24:02,26:01,01:01;07:02,07:02;04:01+07:01;'],
  },
  {
    name: 'phenotypes.tsv',
    eol: '\r\n',
    lines: ['id\ttyping\tnote', '1\tA1, 24; B 8 44\t', '2\tA*01:01;A*02:01;B*07:02\t="x"', '3\tA2 B7,8 DR15,4 DR51\ta, "b"', '4\tA1 B8 Bw6\t'],
  },
  {
    name: 'digits.csv',
    eol: '\n',
    lines: ['id,A_1,A_2,C_1,C_2,DRB1', '1,26,3,12,07,"0301,1501"', '2,2,24,7,3,"0401,0401"', '3,01-01,0201/30,="0702",07011,"15,3"'],
  },
  { name: 'one.csv', eol: '\n', lines: ['A*01:01', 'A*02:01+A*01:01', '"A*03:01"', 'A*01:AB', 'A*02:01/A*03:01', 'x'] },
] // prettier-ignore

type Damage = readonly [name: string, apply: (bytes: Buffer) => Buffer]

const STRAY: readonly (readonly [string, Buffer])[] = [
  ['a quote', '"'], ['quotes', '""'], ['a quoted end', '",'], ['NUL', '\u0000'], ['CR', '\r'], ['LF', '\n'], ['CRLF', '\r\n'],
  ['an empty line', '\n\n'], ['a byte order mark', '\ufeff'], ['a comma', ','], ['a tab', '\t'], ['a semicolon', ';'],
  ['a percent sign', '%'], ['é', 'é'], ['a time', '0.0430555555555556'], ['a formula', '=1+1'], ['a separator', '\u2028'],
  ['an operator', '+'], ['#', '#'], ['a long cell', 'A*01:01/'.repeat(20)], ['a very long cell', '9'.repeat(70_000)],
].map(([name = '', text = '']) => [name, Buffer.from(text)] as const) // prettier-ignore

const BYTES: readonly (readonly [string, Buffer])[] = [
  ...STRAY,
  ['a byte of Latin-1', Buffer.from([0xe9])],
  ['a byte of nothing', Buffer.from([0xff])],
  ['a byte order mark of UTF-16', Buffer.from([0xff, 0xfe])],
  ['half a character', Buffer.from([0xe2, 0x80])],
]

/** Offset of a relative position. */
function at(share: number, { length }: Buffer): number {
  return Math.floor(share * length)
}

const share = fc.double({ min: 0, max: 1, noNaN: true })

function damages(): fc.Arbitrary<Damage> {
  const insert = fc.tuple(fc.constantFrom(...BYTES), share).map(([[name, more], where]): Damage => [
    `insert ${name}`,
    (bytes) => Buffer.concat([bytes.subarray(0, at(where, bytes)), more, bytes.subarray(at(where, bytes))]),
  ]) // prettier-ignore
  const erase = fc.tuple(share, fc.nat(40)).map(([where, size]): Damage => [
    'erase',
    (bytes) => Buffer.concat([bytes.subarray(0, at(where, bytes)), bytes.subarray(at(where, bytes) + size)]),
  ]) // prettier-ignore
  const cut = share.map((where): Damage => ['cut', (bytes) => bytes.subarray(0, at(where, bytes))])
  const flip = fc.tuple(share, fc.nat(255)).map(([where, byte]): Damage => [
    'change a byte',
    (bytes) => {
      const changed = Buffer.from(bytes)
      if (changed.length > 0) changed[at(where, bytes) % changed.length] = byte
      return changed
    },
  ]) // prettier-ignore
  const copy = fc.tuple(share, share).map(([from, to]): Damage => [
    'copy a line',
    (bytes) => {
      const lines = bytes.toString('latin1').split('\n')
      const line = lines[Math.floor(from * (lines.length - 1))] ?? ''
      lines.splice(Math.floor(to * lines.length), 0, line)
      return Buffer.from(lines.join('\n'), 'latin1')
    },
  ]) // prettier-ignore
  return fc.oneof(
    { weight: 8, arbitrary: insert },
    { weight: 3, arbitrary: erase },
    { weight: 2, arbitrary: flip },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: copy },
    { weight: 3, arbitrary: fc.constantFrom(...WHOLE) },
  )
}

function text(change: (text: string) => string): (bytes: Buffer) => Buffer {
  return (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1')
}

/** Damage to the whole table. */
const WHOLE: readonly Damage[] = [
  ['LF', text((all) => all.replaceAll('\r\n', '\n'))],
  ['CRLF', text((all) => all.replace(/\r?\n/g, '\r\n'))],
  ['CR', text((all) => all.replace(/\r?\n/g, '\r'))],
  ['no last line end', text((all) => all.replace(/[\r\n]+$/, ''))],
  ['a column twice', text((all) => all.replaceAll('A_2', 'A_1').replaceAll('A2', 'A1'))],
  ['other delimiters', text((all) => all.replaceAll(',', ';'))],
  ['UTF-16', (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le')],
  ['UTF-16 with a mark', (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')],
  ['UTF-16, big-endian', (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le').swap16()],
  ['two encodings', (bytes) => Buffer.concat([bytes, Buffer.from(bytes.toString('utf8'), 'utf16le')])],
  ['a mark', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])],
  ['twice', (bytes) => Buffer.concat([bytes, bytes])],
]

/** Compressed tables with damage that must be detected. */
function packed(): fc.Arbitrary<Damage> {
  return fc.oneof(
    fc.constant<Damage>(['gzip', (bytes) => gzipSync(bytes)]),
    fc.constant<Damage>(['gzip in two', (bytes) => Buffer.concat([gzipSync(bytes), gzipSync(bytes)])]),
    share.map((where): Damage => ['gzip, cut', (bytes) => cutIn(gzipSync(bytes), where)]),
    fc.tuple(share, fc.integer({ min: 1, max: 255 })).map(([where, byte]): Damage => [
      'gzip, changed',
      (bytes) => changedIn(gzipSync(bytes), where, byte),
    ]), // prettier-ignore
  )
}

function cutIn(bytes: Buffer, where: number): Buffer {
  return bytes.subarray(0, Math.max(3, at(where, bytes)))
}

function changedIn(bytes: Buffer, where: number, byte: number): Buffer {
  const place = Math.min(bytes.length - 1, 10 + at(where, bytes))
  bytes[place] = (bytes[place] ?? 0) ^ byte
  return bytes
}

export function mutatedTables(): fc.Arbitrary<MutatedTable> {
  const damage = fc.tuple(
    fc.array(damages(), { minLength: 1, maxLength: 4 }),
    fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: packed() }),
  )
  return fc
    .tuple(fc.constantFrom(...BASES), damage)
    .map(([{ name, lines, eol }, [done, pack]]): MutatedTable => {
      const all = pack === undefined ? done : [...done, pack]
      const sound: Buffer = Buffer.from(lines.map((line) => line + eol).join(''))
      const bytes = all.reduce((before, [, apply]) => apply(before), sound)
      const what = all.map(([one]) => one)
      const shown = () =>
        `${name} after ${what.join(', ')}: ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`
      return { name, bytes, damage: what, [fc.toStringMethod]: shown }
    })
}
