/** Values of options: what is read, and what is refused. */
import { writeFileSync } from 'node:fs'
import { Option } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  columnList,
  commaList,
  duration,
  hostName,
  isListParser,
  listInPlaceOf,
  methodList,
  portNumber,
  size,
  wholeNumber,
  wordList,
} from '../../src/cli/options/parsers.ts'
import {
  isOpenToReading,
  parseAddress,
  readRemote,
  REMOTE_OPTIONS,
} from '../../src/cli/options/remote-options.ts'
import { parseMaxErrors, parseSummary } from '../../src/cli/options/table-options.ts'
import { tempFolder } from '../support/temp.ts'

const WHOLE = 'It must be a whole number.'
const ADDRESS = 'It must be an address or a host name, such as 0.0.0.0.'
const TIME = 'It must be a time such as 500ms, 10s or 2m.'
const SIZE = 'It must be a size such as 64KiB or 1MiB.'
const LIMITS = 'It is retries=…, timeout=…, connect=…, concurrency=…, deadline=….'
const COUNT = 'It must be a whole number up to 9999.'
const [, { reading: networkLimits }] = REMOTE_OPTIONS

/** A parser, what it reads, and the messages of what it refuses. */
type Row = readonly [
  what: string,
  parse: (text: string) => unknown,
  read: readonly (readonly [text: string, value: unknown])[],
  refused: readonly (readonly [text: string, message: string])[],
]

const ROWS: readonly Row[] = [
  ['a whole number', wholeNumber, [['0', 0], ['12', 12]], [['x12', WHOLE], ['12x', WHOLE], ['', WHOLE], ['-1', WHOLE], ['1.5', WHOLE]]],
  ['a port', portNumber, [['65535', 65_535]], [['65536', 'It must be a port from 0 to 65535.'], ['x', WHOLE]]],
  ['an address', hostName, [['0.0.0.0', '0.0.0.0'], ['::1', '::1'], ['[::1]', '::1'], ['fe80::1%eth0', 'fe80::1%eth0']], [
    ['localhost:80', 'It must be an address without its port: --host localhost --port 80.'],
    ['[::1]:80', 'It must be an address without its port: --host [::1] --port 80.'],
    [':80', ADDRESS], ['a:80x', ADDRESS], ['::1x', ADDRESS], ['x[::1]:80', ADDRESS], ['[::1]:80x', ADDRESS], ['x[::1]', ADDRESS], ['[::1]x', ADDRESS], ['[::1]8', ADDRESS], ['/a', ADDRESS], ['a/', ADDRESS], ['', ADDRESS],
  ]],
  ['a time', duration, [['250ms', 250], ['10s', 10_000], ['2m', 120_000], ['1h', 3_600_000], ['30d', 2_592_000_000], ['1.5s', 1500], ['5', 5000], ['2 M', 120_000]], [
    ['x5s', TIME], ['5s5', TIME], ['s', TIME], ['', TIME], ['5 weeks', TIME], ['1.s', TIME],
  ]],
  ['a size', size, [['64KiB', 65_536], ['1mib', 1_048_576], ['2GiB', 2_147_483_648], ['7b', 7], ['5', 5]], [['5 kb', SIZE], ['-5', SIZE]]],
  ['limits of the network', networkLimits, [
    ['retries=4', { retries: 4 }], ['timeout=2m,connect=5s', { timeout: 120_000, connectTimeout: 5000 }], ['concurrency=9999,deadline=1h', { concurrency: 9999, deadline: 3_600_000 }],
  ], [
    ['-retries=4', LIMITS], ['retries', LIMITS], ['retries=', LIMITS], ['=4', LIMITS], ['retries=x4', COUNT], ['retries=4x', COUNT], ['retries=12345', COUNT], ['timeout=x', TIME],
  ]],
  ['errors', parseMaxErrors, [['100', { count: 100 }], ['0', { count: 0 }], ['5%', { share: 0.05 }], ['0.5%', { share: 0.005 }]],
    ['0.5', 'x5%', '5%x', '', '%', '.5%', '-1'].map((text): readonly [string, string] => [text, `--max-errors is a number such as 100 or a share such as 5%, not "${text}"`]),
  ],
  ['a summary', parseSummary, [
    ['text', { kind: 'text', file: undefined }], ['json', { kind: 'json', file: undefined }], ['json=a', { kind: 'json', file: 'a' }],
  ], [['json=', '--summary is text, json or json=FILE, not "json="'], ['xml', '--summary is text, json or json=FILE, not "xml"'], ['xjson=a', '--summary is text, json or json=FILE, not "xjson=a"']]],
] // prettier-ignore

describe.each(ROWS)('%s', (_, parse, read, refused) => {
  test.for(read)('%s', ([text, value]) => expect(parse(text)).toEqual(value))
  test.for(refused)('%j is refused', ([text, message]) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message }))
  })
})

test('a repeated limit replaces the one before, and leaves the others', () => {
  expect(networkLimits('retries=1', { retries: 4, timeout: 5 })).toEqual({ retries: 1, timeout: 5 })
})

describe('lists', () => {
  test('are added to those before', () => {
    expect(commaList('ab, c  d,', ['z'])).toEqual(['z', 'ab', 'c', 'd'])
    expect(wordList('a b, c,,', ['z'])).toEqual(['z', 'a b', 'c'])
    expect(methodList('lgx,G', ['S'])).toEqual(['S', 'lgx', 'G'])
    expect(methodList(' lgx', ['S'])).toEqual(['S', ' lgx'])
    expect(methodList('lgx')).toEqual(['lgx'])
    expect(columnList('b,c', 'a')).toBe('a,b,c')
    expect(columnList('a')).toBe('a')
  })

  test('are those of commas', () => {
    const isOne = (parse: (text: string, before: readonly string[]) => readonly string[]) =>
      isListParser(new Option('--a <list>').argParser(parse).parseArg)
    expect([commaList, methodList, wordList].map(isOne)).toEqual([true, true, false])
  })

  test('take the place of a default', () => {
    const defaults = ['a']
    expect(listInPlaceOf(defaults)('b', defaults)).toEqual(['b'])
    expect(listInPlaceOf(defaults)('c', ['b'])).toEqual(['b', 'c'])
  })
})

test.for([
  ['http://example.org', true],
  ['http://xlocalhost', true],
  ['http://localhost.example.org', true],
  ['http://127.0.0.1.example.org', true],
  ['https://example.org', false],
  ['http://localhost:8080', false],
  ['http://127.10.20.30', false],
  ['http://[::1]:80', false],
] as const)('%s can be read by others: %s', ([url, isOpen]) => expect(isOpenToReading(url)).toBe(isOpen))

describe('the address of a service', () => {
  const option = { option: '--remote', server: 'a service', secret: 'send a token', hint: 'write a URL' }

  test.for([
    ['https://a.example', 'https://a.example'],
    ['http://a.example/b//', 'http://a.example/b'],
    ['https://a.example//b', 'https://a.example//b'],
  ] as const)('%s', ([text, address]) => expect(parseAddress(text, option)).toBe(address))

  test.for([
    ['ftp://a', '--remote takes the URL of a service, not "ftp://a"', 'write a URL'],
    ['xhttps://a', '--remote takes the URL of a service, not "xhttps://a"', 'write a URL'],
    ['a', '--remote takes the URL of a service, not "a"', 'write a URL'],
    ['https://u@a', '--remote: the address contains a user name or password', 'send a token'],
    ['https://:p@a', '--remote: the address contains a user name or password', 'send a token'],
    ['https://a//b//?c', '--remote: the address contains a query', 'write --remote https://a//b'],
    ['https://a/#c', '--remote: the address contains a query', 'write --remote https://a'],
  ] as const)('%s is refused', ([text, message, hint]) => {
    expect(() => parseAddress(text, option)).toThrow(
      expect.objectContaining({ code: 'usage', message, hint }),
    )
  })
})

describe('a service', () => {
  const temp = tempFolder()

  test('is asked only at an address, with limits that it was given', () => {
    for (const flags of [{}, { remote: false }, { remote: '' }])
      expect(readRemote(flags, 'active')).toBeUndefined()
    expect(readRemote({ remote: 'https://a.example/' }, '3.58.0')).toEqual({
      url: 'https://a.example',
      release: '3.58.0',
      headers: {},
    })
    const network = networkLimits('retries=0,timeout=1s,connect=2s,deadline=3s,concurrency=0')
    expect(readRemote({ remote: 'https://a.example', network }, 'active')).toMatchObject({
      retries: 0,
      timeout: 1000,
      connectTimeout: 2000,
      deadline: 3000,
      // none at all would ask nothing
      concurrency: 1,
    })
    expect(readRemote({ remote: 'https://a.example', network: { concurrency: 2 } }, '3.58.0')).toMatchObject({
      concurrency: 2,
    })
  })

  const remoteWith = (line: string) => {
    writeFileSync(temp('headers'), `# a token\n\n${line}\n`)
    return readRemote({ remote: 'https://a.example', headerFile: temp('headers') }, 'active')
  }

  test.for([
    ['Authorization: Bearer a:b', { authorization: 'Bearer a:b' }],
    ['X-Token:c', { 'x-token': 'c' }],
  ] as const)('gets the header %s', ([line, headers]) => {
    expect(remoteWith(line)).toMatchObject({ headers })
  })

  test.for(['Bearer a', 'two words: a', ': a', 'Authorization:', 'Authorization: a\u2028b'])(
    'gets no header %j, and nothing of it is shown',
    (line) => {
      const message = `${temp('headers')} has a line that is not "Name: value"`
      expect(() => remoteWith(line)).toThrow(expect.objectContaining({ code: 'usage', message }))
    },
  )
})
