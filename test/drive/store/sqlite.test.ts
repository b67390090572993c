import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

vi.mock('@photostructure/sqlite', () => {
  throw new Error('built for another machine')
})

test('without any the command says so in one line', async () => {
  const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  const { loadSqlite } = await import('../../../src/drive/persistence/database/sqlite.ts')
  await expect(loadSqlite()).rejects.toMatchObject({
    code: 'io',
    message: expect.stringMatching(/^the file store needs SQLite: [^\n]*cannot be loaded$/),
    hint: `npm ci --prefix ${ROOT}\n(Node 22.16 and later include SQLite)`,
  })
  spy.mockRestore()
})

test("Node's warning that its own is experimental is not passed on, and others are", async () => {
  const told = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const found = vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
    process.emitWarning('SQLite is experimental')
    return undefined
  })
  const { loadSqlite } = await import('../../../src/drive/persistence/database/sqlite.ts')
  await expect(loadSqlite()).rejects.toMatchObject({ code: 'io' })
  process.emitWarning('another')
  found.mockRestore()
  expect(told.mock.calls).toEqual([['another']])
  told.mockRestore()
})

const usual = dirname(dirname(process.execPath))
const PEER = '@photostructure/sqlite@1.2.1'

test.for([
  [`${usual}/lib/node_modules/hla`, `npm install -g ${PEER}`],
  ['/home/a/.npm-global/lib/node_modules/hla', `npm install -g --prefix /home/a/.npm-global ${PEER}`],
  ['/usr/lib/hla', `npm install -g --prefix /usr ${PEER}`],
  ["/home/it's/hla-2.0.0/lib/hla", `npm install -g --prefix '/home/it'\\''s/hla-2.0.0' ${PEER}`],
  ['/opt/my tools/lib/hla', `npm install -g --prefix '/opt/my tools' ${PEER}`],
  ['/home/a/study/node_modules/hla', `npm install --prefix /home/a/study ${PEER}`],
] as const)('the command installs it where the program in %s finds it', async ([root, command]) => {
  const { installCommand } = await import('../../../src/drive/persistence/database/sqlite.ts')
  expect(installCommand(root)).toBe(command)
  // Node looks for packages in each folder above the program
  const to = command.includes('-g') ? /^(.*?)\/lib\//.exec(root)?.[1] : dirname(dirname(root))
  expect(root.startsWith(`${to}/`)).toBe(true)
})

test.for<[object, string, number | undefined]>([
  [{ errcode: 266 }, 'disk I/O error', 10],
  [{ errcode: 5 }, 'is full', 5],
  [{ errcode: 'x' }, 'database is locked', undefined],
  [{}, 'database is locked', undefined],
  [{ code: 'ERR_OTHER' }, 'database is locked', undefined],
  ...(
    [
      ['the database is locked', 5],
      ['out of memory', 7],
      ['attempt to write a readonly database', 8],
      ['disk I/O error', 10],
      ['database disk image is malformed', 11],
      ['the index is corrupt', 11],
      ['database or disk is full', 13],
      ['unable to open database file', 14],
      ['file is not a database', 26],
      ['no such table: files', 1],
    ] as const
  ).map(([text, code]): [object, string, number] => [{ code: 'ERR_SQLITE_ERROR' }, text, code]),
])('an error with %j and the text %j has the code %s', async ([facts, text, code]) => {
  const { sqliteCode } = await import('../../../src/drive/persistence/database/sqlite.ts')
  expect(sqliteCode(Object.assign(new Error(text), facts))).toBe(code)
  expect(sqliteCode({ ...facts, message: text })).toBeUndefined()
})
