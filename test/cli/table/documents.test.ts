/**
 * Documents written back by the whole program: plain and compressed files, report, provenance, exit statuses, a remote
 * service.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKnowledge } from '../../../src/operations/knowledge.ts'
import { openStarter } from '../../../src/reference/starter/open-starter.ts'
import { openService } from '../../../src/service/service.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const folder = temp('.')
const service = openService(makeKnowledge(openStarter()), {})
let url = ''

beforeAll(async () => {
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.app.close())

const donors = (...typings: string[]) =>
  `\ufeff{"donors": [\r\n${typings.map((one, at) => `{"RecordId": ${at + 1}, "Hla": {"A": {"Dna": {"Field1": "${one}",}}}},`).join('\r\n')}\r\n]}`
const hml = (...assignments: string[]) =>
  `<hml version="1.0.1"><sample id="S1"><typing>${assignments.join('')}</typing></sample></hml>\n`
const assignment = (text: string, said = 'allele-version="3.25.0"') =>
  `<allele-assignment ${said}><glstring>${text}</glstring></allele-assignment>`

const run = (args: readonly string[], more: object = {}) =>
  runHla(['redux', '-r', 'starter', '-q', '-m', 'lgx', '--output-format', 'same', ...args], {
    cwd: folder,
    ...more,
  })

test('packed in, packed out, with report and provenance, which holds on another day', async () => {
  writeFileSync(temp('d.json.gz'), gzipSync(donors('*02:01:01:01', '*99:99')))
  const args = ['-i', 'd.json.gz', '-o', 'o.json.gz', '--provenance', '--summary', 'json=s.json']
  const { status, stdout } = await run(args)
  expect([status, stdout]).toEqual([1, ''])
  expect(gunzipSync(readFileSync(temp('o.json.gz'))).toString()).toBe(donors('*02:01', '*99:99'))
  expect(readFileSync(temp('o.json.gz.errors.csv'), 'utf8')).toMatch(
    /^row,line,id,column,locus,value,code,message,suggestion,path\n2,3,2,A_1,A,A\*99:99,starter,.*,\/donors\[2\]\/hla\/a\/dna\/field1\n$/,
  )
  expect(JSON.parse(readFileSync(temp('s.json'), 'utf8'))).toMatchObject({ rows: 2, typings: 2, status: { ok: 1, error: 1 } }) // prettier-ignore
})

test('an allele assignment has the day of the run, and gets it again when the run is repeated', async () => {
  writeFileSync(temp('m.xml'), hml(assignment('HLA-A*02:01:01:01')))
  expect((await run(['-i', 'm.xml', '-o', 'n.xml', '--provenance'])).status).toBe(0)
  const today = /date="(\d{4}-\d\d-\d\d)"/.exec(readFileSync(temp('n.xml'), 'utf8'))?.[1]
  expect(Math.abs(Date.now() - Date.parse(today ?? ''))).toBeLessThan(2 * 24 * 3600 * 1000)
  // simulates a run on another day
  const old = '2020-05-06'
  for (const name of ['n.xml', 'n.xml.hla.json'])
    writeFileSync(temp(name), readFileSync(temp(name), 'utf8').replaceAll(`${today}`, old))
  const { stdout } = await runHla(['provenance', 'verify', 'n.xml.hla.json', '--rerun'], { cwd: folder })
  const written = readFileSync(temp('n.xml'))
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256').update(written).digest('hex').slice(0, 12)
  expect(stdout).toContain(`rerun\tdiffers\tsha256:${digest} of`)
})

test('what ends a run leaves nothing under the name of the output', async () => {
  writeFileSync(temp('cut.json'), donors('*02:01:01:01').slice(0, -1))
  writeFileSync(temp('bad.json'), donors('*02:01:01:01', '*99:99'))
  expect((await run(['-i', 'cut.json', '-o', 'none.json'])).status).toBe(4)
  expect((await run(['-i', 'bad.json', '-o', 'none.json', '--on-error', 'fail'])).status).toBe(1)
  expect((await run(['-i', 'bad.json', '-o', 'none.json', '--max-errors', '0'])).status).toBe(1)
  expect(existsSync(temp('none.json'))).toBe(false)
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  for (const more of [
    ['--shape', 'gl'],
    ['-m', 'G'],
  ])
    expect((await run(['-i', 'bad.json', '-o', 'none.json', ...more])).status).toBe(2)
})

test('a service answers as this program does', async () => {
  const text = donors('*02:01:01:01', '02:01:01:01/24:02:01:01', '*99:99', 'NNNN')
  const message = hml(assignment('HLA-A*02:01:01:01+HLA-A*24:02:01:01'))
  const env = { SOURCE_DATE_EPOCH: '1767312000' }
  for (const stdin of [text, message]) {
    const here = await run([], { stdin, env })
    const there = await runHla(['redux', '-q', '-m', 'lgx', '--output-format', 'same', '--remote', url], { cwd: folder, stdin, env }) // prettier-ignore
    expect([there.stdout, there.status]).toEqual([here.stdout, here.status])
    expect(here.stdout).not.toBe(stdin)
  }
})

test('POST /table gives the same', async () => {
  const { body, statusCode } = await service.app.inject({ method: 'POST', url: '/table?name=d.json&method=lgx&output_format=same', payload: donors('*02:01:01:01', '*99:99'), headers: { 'content-type': 'application/octet-stream' } }) // prettier-ignore
  expect(statusCode).toBe(200)
  expect(body).toContain(`\r\n\r\n${donors('*02:01', '*99:99')}\r\n--`)
  expect(body).toContain('A_1')
})
