/** Advice is data, and each face phrases it: only command-line users read of command-line options. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { type Advice, advice, adviceSteps, clause, command, option, optionLike } from '../src/advice.ts'
import { adviceText, messageText } from '../src/operations/faces.ts'
import { HlaError } from '../src/errors.ts'
import { errorData, errorRecord, readErrorRecord } from '../src/operations/error-record.ts'
import { TABLE_QUERY } from '../src/service/table/table-query.ts'
import { OPTIONS_SCHEMA } from '../src/operations/options-schema.ts'

const INSTALL = advice`${command('data install', { args: ['3.58.0'] })} for the full release`

test.for<readonly [Advice, string | undefined, string | undefined, string | undefined, string | undefined]>([
  [advice`use A*01:04N${clause`, or ${option('accept', 'suffix,case')}`}`, 'use A*01:04N, or --accept suffix,case', 'use A*01:04N, or "accept": ["suffix", "case"]', 'use A*01:04N, or accept=suffix,case', 'use A*01:04N, or the choice "Correct small slips"'],
  [advice`use A*01:01${clause`, or ${option('lift')} to translate old names`}`, 'use A*01:01, or --lift to translate old names', 'use A*01:01, or "lift": true to translate old names', 'use A*01:01', 'use A*01:01'],
  [INSTALL, 'hla data install 3.58.0 for the full release', 'ask the operator of the service to install the data', 'ask the operator of the service to install the data', 'ask the operator of the service to install the data'],
  [advice`change it with ${option('limit')}; ${option('limit', '0')} removes it`, 'change it with --limit; --limit 0 removes it', 'change it with "options": {"limit": …}; "options": {"limit": 0} removes it', undefined, undefined],
  [advice`${command('redux', { options: [{ option: 'method', value: 'U2' }] })} takes whole GL Strings`, 'hla redux -m U2 takes whole GL Strings', 'redux with "reduction_method": "U2" takes whole GL Strings', 'redux with method=U2 takes whole GL Strings', undefined],
  [advice`say which: ${option('bare-digits', 'antigen')} or v2`, 'say which: --bare-digits antigen or v2', undefined, 'say which: bare_digits=antigen or v2', undefined],
  [advice`name them with ${optionLike('locus', 'A=column,column')}`, 'name them with -l A=column,column', undefined, 'name them with locus=A=column,column', 'name them with “Columns of a locus”'],
  [advice`names are joined with "/"${clause`; for tables, see ${command('help tables')}`}`, 'names are joined with "/"; for tables, see hla help tables', 'names are joined with "/"', 'names are joined with "/"', 'names are joined with "/"'],
  [advice`first named in 3.20.0\n${option('quote', 'none')} if quotes have no meaning`, 'first named in 3.20.0\n--quote none if quotes have no meaning', 'first named in 3.20.0', 'first named in 3.20.0', 'first named in 3.20.0'],
  [option('missing', "don't know"), "--missing 'don'\\''t know'", undefined, "missing=don't know", undefined],
  ['no name starts with A*99', 'no name starts with A*99', 'no name starts with A*99', 'no name starts with A*99', 'no name starts with A*99'],
])('%j', ([text, line, request, query, page]) => {
  expect(adviceText(text, 'command-line')).toBe(line)
  expect(adviceText(text, 'request')).toBe(request)
  expect(adviceText(text, 'query')).toBe(query)
  expect(adviceText(text, 'page')).toBe(page)
}) // prettier-ignore

test('a message keeps what has no word there, without its dashes', () => {
  const message = advice`${option('sheet', 'a b')} names a sheet; ${option('plan-from')} a table`
  expect(messageText(message, 'command-line')).toBe("--sheet 'a b' names a sheet; --plan-from a table")
  expect(messageText(message, 'query')).toBe('sheet=a b names a sheet; plan-from a table')
})

test('steps are read from the data', () => {
  expect(adviceSteps(advice`a ${clause`b ${option('quote', 'lazy')}`} ${INSTALL}`)).toEqual([
    { option: 'quote', value: 'lazy' },
    { command: 'data install', args: ['3.58.0'] },
  ])
})

test('an error keeps its advice on its way through threads and wrappers', () => {
  const error = new HlaError('usage', advice`not with ${option('skip')}`, {
    hint: advice`${option('quote', 'lazy')} reads it`,
  })
  expect(error.message).toBe('not with --skip')
  const sent = structuredClone(errorData(error))
  const revived = readErrorRecord(sent, 'io')
  expect(errorRecord(revived, 'query')).toEqual({
    code: 'usage',
    message: 'not with skip',
    suggestions: [],
  })
  expect(errorRecord(revived)).toMatchObject({
    message: 'not with --skip',
    hint: '--quote lazy reads it',
  })
})

const SRC = join(import.meta.dirname, '../src')
const NAMES_OPTION =
  /(?:^|[^\w-])--[a-z]{2,}|(?:^|[\s(])-[a-zA-Z](?=[\s=,;)]|$)|\bhla (?:redux|mac|data|help|validate|lift|diff|drive|pipe|serve)\b/

describe('sources that other faces than the command line show', () => {
  const FOLDERS = ['nomenclature', 'engine', 'operations', 'table', 'service', 'web', 'reference/store', 'io']
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`)
      .filter((file) => !OF_COMMAND_LINES.has(file)),
  )

  test('name options and commands as data alone', () => {
    const told = files.flatMap((file) =>
      textsIn(readFileSync(join(SRC, file), 'utf8'))
        .filter((text) => NAMES_OPTION.test(text))
        .map((text) => `${file}: ${text}`),
    )
    expect(told).toEqual([])
  })
})

/** Options of `hla data install`, which no service has; V8's own flags; commands that pages show for copying. */
const OF_COMMAND_LINES = new Set([
  'operations/answers/expect-data.ts',
  'reference/store/install.ts',
  'io/heap.ts',
  'service/page/page.ts',
  'service/page/docs/docs.ts',
])

/** String literals, except members that are commands by name: examples, and parts of advice. */
function textsIn(source: string): string[] {
  const found = new Map<number, string>()
  const skipped: [number, number][] = []
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === 'string') found.set(start, value)
    },
    TemplateElement({ start, value }) {
      found.set(start, value.cooked ?? value.raw)
    },
    Property({ start, end, key }) {
      if (key.type === 'Identifier' && ['command', 'form', 'shell', 'output'].includes(key.name))
        skipped.push([start, end])
    },
  }).visit(parseSync('a.ts', source).program)
  return [...found]
    .filter(([at]) => !skipped.some(([start, end]) => start <= at && at < end))
    .map(([, text]) => text)
}

describe('the words of the faces', () => {
  test('of a query are its parameters', () => {
    for (const member of Object.keys(TABLE_QUERY.properties).filter(
      (name) => name !== 'name' && name !== 'antigens',
    ))
      expect(adviceText(option(member.replaceAll('_', '-'), 'x'), 'query')).toBe(`${member}=x`)
  })

  test('of a request are members of its options', () => {
    for (const name of ['limit', 'ignore-suffix']) {
      const [, member = ''] = /\{"(\w+)"/.exec(adviceText(option(name, '1'), 'request') ?? '') ?? []
      expect(Object.keys(OPTIONS_SCHEMA.properties)).toContain(member)
    }
  })
})

describe('the freeze', () => {
  const frozen = (file: string) =>
    readFileSync(join(import.meta.dirname, 'freeze/frozen', file), 'utf8').split('\n')

  /** Lines of the service's answers: all of requests.txt, and for each table the lines after `POST /table`. */
  function httpLines(): string[] {
    let isHttp = false
    const tables = frozen('tables.txt').filter((line) => {
      if (/^(?:=== |\$ |remote)/.test(line)) isHttp = false
      if (line.startsWith('POST /table')) isHttp = true
      return isHttp
    })
    return [...tables, ...frozen('requests.txt')]
  }

  test('no HTTP body names an option of the command line', () => {
    const lines = httpLines()
    expect(lines.length).toBeGreaterThan(2000)
    expect(lines.filter((line) => NAMES_OPTION.test(line))).toEqual([])
  })

  test('no page names one', () => {
    const page = readFileSync(join(SRC, 'service/page/index.html'), 'utf8').split('\n')
    const lines = [...page, ...frozen('service-page.txt'), ...frozen('drive-page.txt')]
    expect(lines.filter((line) => /(?:^|[^\w-])--[a-z]{2,}\b(?!>)/.test(line))).toEqual([])
  })
})
