/** What the commands of a store print and tell, word by word: sessions beside a service that runs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { replayIn } from '../../support/session.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const FILES = {
  'donors.csv': 'ID,A1,A2\nR1,01:01,02:01\n',
  'notes.txt': 'Two words\n',
  'cohort/a.csv': 'ID,A1\nR1,01:01\n',
  'cohort/below/b.csv': 'ID,A1\nR2,02:01\n',
  a: 'a\n',
  empty: '\n',
  password: 'correct horse battery\n',
  short: 'horse\n',
  'fields.json': '[{"id":"by","valueType":"text","maxLength":40}]',
}

const SHORTCUT = 'application/vnd.google-apps.shortcut'
const FOLDER = 'application/vnd.google-apps.folder'

let drive: Drive
beforeAll(async () => {
  drive = await startDrive({ args: ['-r', 'starter'] })
  const make = async (body: object): Promise<string> =>
    (await drive.ask('POST', '/drive/v2/files', { body })).json.id
  const parents = [{ id: await make({ title: 'odd', mimeType: FOLDER }) }]
  const target = await make({ title: '-', parents })
  await make({ title: '..', parents })
  await make({ title: 'link', mimeType: SHORTCUT, parents, shortcutDetails: { targetId: target } })
})

test.for(['administration', 'files'])('%s is as written', async (name) => {
  const cwd = temp(name)
  for (const below of ['cohort/below', '.config']) mkdirSync(join(cwd, below), { recursive: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(cwd, file), text)
  const path = join(import.meta.dirname, `${name}.session`)
  const written = readFileSync(path, 'utf8')
  const env = {
    HLA_DRIVE_URL: drive.url,
    HLA_DRIVE_TOKEN: drive.token,
    HLA_DRIVE: drive.folder,
    HLA_RELEASE: 'starter',
  }
  const now = placed(await replayIn(written, { cwd, env }), cwd)
  // writes the current output: read the difference before you commit it
  if (process.env['HLA_UPDATE_SESSIONS']) writeFileSync(path, now)
  else expect(now).toBe(written)
})

/** Placeholders for what differs from run to run. The widths of tables stay those of the real texts. */
function placed(text: string, cwd: string): string {
  return text
    .replaceAll(drive.url, '$URL')
    .replaceAll(drive.folder, '$STORE')
    .replaceAll(cwd, '$HERE')
    .replaceAll(/-----BEGIN PRIVATE KEY-----[^"]*/g, '$KEY')
    .replaceAll(/hla_[\w-]{20,}/g, '$TOKEN')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '$DATE')
    .replaceAll(/\blink-[\w-]{24}/g, '$LINK')
    .replaceAll(/\b1[\w-]{32,36}(?![\w-])/g, '$ID')
    .replaceAll(/\b\d{20}\b/g, '$USER')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '$KID')
    .replaceAll(/^[\w-]{10}(?= {2}\S+@)|(?<="name":")[\w-]{10}(?=","user")/gm, '$NAME')
    .replaceAll(/process \d+/g, 'process $PID')
    .replaceAll(/[\d,]+ bytes of database/g, '$SIZE bytes of database')
}
