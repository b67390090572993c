/** Rows of a store that contradict each other: what a check says of them, what a repair leaves, and what it mends. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding, FsckReport } from '../../../src/drive/persistence/upkeep/row-checks.ts'
import { fsck } from '../../../src/drive/persistence/upkeep/fsck.ts'
import { addContent, addFile, openTestStore, pieces, runSql } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const FOUND = { files: 3, contents: 2, bytes: 5, leftovers: 0 }

/** The folder of a store with a root (1), an empty file (2) and one of 5 bytes (3), after the statements. */
async function spoilt(name: string, sql: readonly string[]): Promise<string> {
  const store = await openTestStore(temp(name))
  await addFile(store, 'empty')
  await addContent(store, 'small', pieces(Buffer.from('bytes')))
  for (const statement of sql) await runSql(store, statement)
  await store.close()
  return store.folder.path
}

const CHANNEL = `INSERT INTO channels(pk, id, client, user, scopes, resource, uri, address, expires, waiting)
  VALUES (9, 'channel9', 1, 1, '', '', '', '', 0, `
const COMMENT = `INSERT INTO comments(pk, file, id, author, content, created, modified) VALUES`
const LOST = 'lost-content'
const WRONG = 'inconsistent'

test.for<
  [name: string, sql: readonly string[], mended: readonly string[], left?: readonly string[], also?: readonly string[], problem?: Finding['problem']]
>([
  ['nothing', [], []],
  ['a missing content', [`INSERT INTO revisions(file, id, blob, mime, size, modified, modifier) VALUES (2, '2', 77, 'a/b', 0, 0, 1)`], [], ['revision 2 of file empty names no content'], [], LOST],
  ['bytes of an empty content in a file', [`INSERT INTO blob_data VALUES (55, x'00')`], ['bytes of no content']],
  ['a revision of no file', [`INSERT INTO revisions(file, id, blob, mime, size, modified, modifier) VALUES (77, 'r7', 2, 'a/b', 5, 0, 1)`], ['revision r7 of no file']],
  ['no head', ['UPDATE files SET head = NULL WHERE pk = 3'], ['file small has none of its revisions as head']],
  ['the head of another file', ['UPDATE files SET head = 1 WHERE pk = 3'], ['file small has none of its revisions as head'], [], ['file small has not the size of its head']],
  ['another size', ['UPDATE files SET size = 6 WHERE pk = 3'], ['file small has not the size of its head']],
  [
    'another size of a revision',
    ['UPDATE revisions SET size = 6 WHERE file = 3'],
    ['revision 1 has not the size of its content'],
    [],
    ['file small has not the size of its head', 'file small does not count its revisions'],
  ],
  ['another count', ['UPDATE files SET used = 4 WHERE pk = 3'], ['file small does not count its revisions'], [], ['used bytes of a@b.c do not add up']],
  ['another sum of bytes', [`UPDATE principals SET used = 4 WHERE id = 'u1'`], ['used bytes of a@b.c do not add up']],
  ['a sum of bytes of a user without an address', [`UPDATE principals SET used = 4, email = NULL WHERE id = 'u1'`], ['used bytes of u1 do not add up']],
  ['another sum of metadata', [`UPDATE principals SET metadata = metadata + 1 WHERE id = 'u1'`], ['metadata of a@b.c do not add up']],
  ['a missing child', ['INSERT INTO parents VALUES (1, 77)'], ['parents of no file: 77']],
  ['a missing parent', ['INSERT INTO parents VALUES (77, 2)'], ['parents of no file: 77']],
  ['properties', [`INSERT INTO properties VALUES (77, 0, 'a', 'b'), (77, 0, 'c', 'd')`], ['properties of no file: 77']],
  ['grants', [`INSERT INTO grants(item, principal, role, created, granter) VALUES (77, 1, 'reader', 0, 1)`], ['grants of no file: 77']],
  ['a comment and its reply', [`${COMMENT} (8, 77, 'c8', 1, 'a', 0, 0)`], ['comments of no file: 77']],
  ['labels', [`INSERT INTO file_labels VALUES (77, 1, '{}')`], ['file_labels of no file: 77']],
  ['a reply', [`INSERT INTO replies(comment, id, author, content, created, modified) VALUES (77, 'r1', 1, 'a', 0, 0)`], ['reply r1 to no comment']],
  ['a message', [`INSERT INTO deliveries(channel, number, state, created) VALUES (77, 4, 'add', 0)`], ['message 4 of no channel']],
  ['a count of messages', [`${CHANNEL} 2)`, `INSERT INTO deliveries(channel, number, state, created) VALUES (9, 1, 'add', 0)`], ['channel channel9 does not count its messages']],
  ['a state', ['INSERT INTO user_state(user, item) VALUES (1, 77)'], ['user_state of no file: 77']],
  ['a text', [`INSERT INTO indexable VALUES (77, 'a')`], ['indexable of no file: 77']],
  ['a rule', [`INSERT INTO rules(id, folder, maker, target, terms, created) VALUES ('r', 77, 1, 1, '{}', 0)`], ['rules of no file: 77']],
  ['words', [`INSERT INTO words(rowid, title, body, content) VALUES (77, 'a', '', '')`], ['words of no file: 77']],
  ['no rights', ['UPDATE files SET acl = 77 WHERE pk = 3'], [], ['file small has no set of rights']],
  ['a missing shared drive', ['UPDATE files SET drive = 77 WHERE pk = 3'], [], ['file small is in a shared drive that is not there']],
  ['a shared drive without a root', ['INSERT INTO drives(root) VALUES (77)', 'INSERT INTO drives(root) VALUES (2)'], ['a shared drive has no root', 'a shared drive has no root']],
  ['rights', [`INSERT INTO acl_entries(acl, principal, role) VALUES (77, 1, 'owner'), (77, 2, 'owner')`], ['rights of no set']],
  ['changes', ['DELETE FROM changes WHERE seq = 1'], ['change 1 of 1 is not in the log']],
])('%s', async ([name, sql, mended, left = [], also = [], problem = WRONG]) => {
  const path = await spoilt(name, sql)
  const told = (isRepairing: boolean) => fsck(path, { isDeep: false, isRepairing })
  const shown = ({ findings, ...rest }: FsckReport) => ({
    ...rest,
    mended: findings.filter((one) => one.isRepaired).map(({ what }) => what),
    left: findings.filter((one) => !one.isRepaired).map(({ what }) => what).toSorted(),
    problems: [...new Set(findings.map((one) => one.problem))],
  })
  const problems = (found: readonly string[]) => (found.length > 0 ? [problem] : [])
  const all = [...left, ...mended, ...also].toSorted()
  expect([shown(await told(false)), shown(await told(true)), shown(await told(false))]).toEqual([
    { ...FOUND, mended: [], left: all, problems: problems(all) },
    { ...FOUND, mended, left, problems: problems(all) },
    { ...FOUND, mended: [], left, problems: problems(left) },
  ])
}) // prettier-ignore

test('a content of no revision goes, with its bytes', async () => {
  const path = await spoilt('unused', [
    `INSERT INTO blobs VALUES (50, 'abc', 's', 'm', 3, 'inline', 0)`,
    `INSERT INTO blob_data VALUES (50, x'616263')`,
  ])
  const finding = { problem: WRONG, what: 'content abc of no revision' }
  const told = (isRepairing: boolean) => fsck(path, { isDeep: false, isRepairing })
  expect([await told(false), await told(true), await told(false)]).toEqual([
    { ...FOUND, contents: 3, bytes: 8, findings: [{ ...finding, isRepaired: false }] },
    { ...FOUND, findings: [{ ...finding, isRepaired: true }] },
    { ...FOUND, findings: [] },
  ])
})

test('files that no row names are counted once they are a day old', async () => {
  const path = await spoilt('leftovers', [])
  const DAY = 86_400_000
  for (const [at, age] of [DAY + 60_000, DAY - 60_000, 2 * DAY].entries()) {
    const sha256 = `${at}`.repeat(64)
    mkdirSync(join(path, 'blobs', `${at}${at}`))
    writeFileSync(join(path, 'blobs', `${at}${at}`, sha256), 'x')
    const then = new Date(Date.now() - age)
    utimesSync(join(path, 'blobs', `${at}${at}`, sha256), then, then)
  }
  for (const isRepairing of [false, true])
    expect(await fsck(path, { isDeep: true, isRepairing })).toEqual({ ...FOUND, leftovers: 2, findings: [] })
})
