/** Uploads of large files that an earlier run began, against a scripted store. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sendFile } from '../../../src/drive/commands/files/send-file.ts'
import { scriptedStore, type ScriptedReply } from '../../support/scripted-store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const CONTENT = Buffer.alloc(8 * 1024 * 1024, 'x')
const MD5 = createHash('md5').update(CONTENT).digest('hex')
const TOTAL = CONTENT.length
const target = { kind: 'revision', file: 'f', mimeType: 'text/csv' } as const

beforeAll(() => writeFileSync(temp('large.csv'), CONTENT))
afterAll(() => void vi.unstubAllEnvs())
let count = 0
let state: string
beforeEach(() => {
  state = temp(`state ${(count += 1)}`)
  mkdirSync(state)
  vi.stubEnv('XDG_STATE_HOME', state)
})

const begun = { headers: { location: 'https://store.example/up?upload_id=new' } }
const whole = { body: { id: 'f', md5Checksum: MD5 } }
const refused = { status: 400 }

/** The file or the message of the refusal, the requests, and addresses of unfinished uploads afterwards. */
async function sent(...replies: readonly ScriptedReply[]) {
  const store = scriptedStore((_, at) => replies[at] ?? { status: 500 })
  const ended = await sendFile({ connection: store.connection, retries: 0 }, target, {
    file: temp('large.csv'),
    isQuiet: true,
  }).then(
    ({ id, md5 }) => ({ id, md5 }),
    (error: Error) => error.message,
  )
  const asked = store.asked.map(({ method, path, headers }) => [method, path, headers?.['content-range']])
  const folder = `${state}/hla`
  const left = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  return { ended, asked, left }
}

const OPENED = ['PUT', '/upload/drive/v2/files/f', undefined]
const NEW = '/up?upload_id=new'
const FAILED = 'https://store.example answers with status 400'
const DONE = { id: 'f', md5: MD5 }

test('one that ends is forgotten, and one that fails is kept', async () => {
  expect(await sent(begun, whole)).toEqual({
    ended: DONE,
    asked: [OPENED, ['PUT', NEW, `bytes 0-${TOTAL - 1}/${TOTAL}`]],
    left: [],
  })
  expect(await sent(begun, refused)).toMatchObject({ ended: FAILED, left: [NEW] })
})

const ASKED = ['PUT', NEW, 'bytes */*']
test.for<[string, ScriptedReply[], object, unknown[]]>([
  [
    'goes on behind what the store holds',
    [{ status: 308, headers: { range: 'bytes=0-262143' } }, whole],
    DONE,
    [ASKED, ['PUT', NEW, `bytes 262144-${TOTAL - 1}/${TOTAL}`]],
  ],
  ['has ended with the same bytes', [whole], DONE, [ASKED]],
  [
    'has ended with a document, whose digest is unknown',
    [{ body: { id: 'f', mimeType: 'application/vnd.google-apps.spreadsheet' } }],
    { id: 'f', md5: undefined },
    [ASKED],
  ],
  [
    'has ended with other bytes since: it begins again',
    [{ body: { id: 'f', md5Checksum: 'other' } }, begun, whole],
    DONE,
    [ASKED, OPENED, ['PUT', NEW, `bytes 0-${TOTAL - 1}/${TOTAL}`]],
  ],
  [
    'is gone: it begins again',
    [{ status: 410 }, begun, whole],
    DONE,
    [ASKED, OPENED, ['PUT', NEW, `bytes 0-${TOTAL - 1}/${TOTAL}`]],
  ],
])('one of an earlier run that %s', async ([, replies, ended, asked]) => {
  await sent(begun, refused)
  expect(await sent(...replies)).toEqual({ ended, asked, left: [] })
})
