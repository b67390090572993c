/** HML, XML and JSON are named in the message where a typing, a table or a request is expected. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recognizeDocument } from '../../src/nomenclature/document-format.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { openService } from '../../src/service/service.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const HML =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!-- typings, A*01:01 -->\n<ns2:hml xmlns:ns2="x" version="1.0">\n<ns2:sample id="1"/>\n</ns2:hml>\n'
const XML = '<donors>\n<donor id="1"><a>01:01</a></donor>\n</donors>\n'
const JSON_TEXT = '{\n  "people": [\n    {"A_1": "01:01"}\n  ]\n}\n'
const DOCUMENTS = [['HML', HML], ['XML', XML], ['JSON', JSON_TEXT]] as const // prettier-ignore

const temp = tempFolder()
const service = openService(makeKnowledge(openStarter()), {})

beforeAll(async () => {
  mkdirSync(temp('here'))
  await service.app.ready()
})
afterAll(() => service.app.close())

test.for([
  ['  \n{"a":1}', 'JSON'],
  ['[{"a":1}]', 'JSON'],
  ['[]', 'JSON'],
  ['<hml>', 'HML'],
  ['<!DOCTYPE html>\n<html>', 'XML'],
  ['<a b="c"><d/></a>', 'XML'],
  ['<id>,A_1,A_2\n1,01:01,02:01\n', undefined],
  ['[id],A_1\n1,01:01\n', undefined],
  ['{id},A_1\n', undefined],
  ['id,A_1\n1,<x>\n', undefined],
  ['', undefined],
] as const)('%j is %s', ([text, format]) => {
  expect(recognizeDocument(text)).toBe(format)
})

describe.for(DOCUMENTS)('%s', ([format, text]) => {
  const run = (args: readonly string[], stdin: string | Uint8Array = '') =>
    callHla(['redux', '-r', 'starter', '-q', ...args], { cwd: temp('here'), stdin })

  test('as typings', async () => {
    const { stderr, status } = await run([], text)
    // HML is read as a table, and this message contains no typings
    expect(stderr).toContain(format === 'HML' ? 'stdin holds no typings' : `stdin is ${format}, not a table`)
    expect(status).toBe(4)
  })

  test.for([
    ['as it is', text],
    ['with a byte order mark', `\ufeff${text}`],
    ['with white space before it', `\n  ${text}`],
    ['compressed', gzipSync(text)],
    ['in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ] as const)('as a table, %s', async ([, bytes]) => {
    const [message, stdinMessage] = ['table.csv', 'stdin'].map((name) => format === 'HML' ? `${name} holds no typings` : `${name} is ${format}, not a table`) // prettier-ignore
    writeFileSync(temp('here/table.csv'), bytes)
    const { stdout, stderr, status } = await run(['-i', 'table.csv'])
    expect([stdout, stderr.includes(message ?? '?'), status > 1]).toEqual(['', true, true])
    const piped = await run(['-d', ','], typeof bytes === 'string' ? bytes : new Uint8Array(bytes))
    expect(piped.stderr).toContain(stdinMessage ?? '?')
    const answer = await service.app.inject({ method: 'POST', url: '/table?name=table.csv', payload: bytes })
    expect([answer.statusCode >= 400 && answer.statusCode < 500, answer.body]).toEqual([true, expect.stringContaining(message ?? "?")]) // prettier-ignore
  })

  test('as a typing of a request', async () => {
    const asked = { gl_string: text.split('\n')[0], reduction_method: 'G' }
    const answer = await service.app.inject({ method: 'POST', url: '/redux', payload: JSON.stringify(asked) })
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { message: expect.stringContaining(`this is ${format === 'HML' ? 'XML' : format}`) as unknown }]) // prettier-ignore
  })
})

test.for([['HML', HML], ['XML', XML]] as const)('%s as requests', async ([, text]) => {
  const expected = { code: 'bad-request', message: 'the line is not JSON: it is XML' }
  const { stdout } = await callHla(['pipe', '-r', 'starter'], { cwd: temp('here'), stdin: text })
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ error: expected })
  const batch = await service.app.inject({ method: 'POST', url: '/batch', payload: text })
  expect(JSON.parse(batch.body.split('\n')[0] ?? '')).toMatchObject({ error: expected })
}) // prettier-ignore
