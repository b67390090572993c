import { expect, test, vi } from 'vitest'

vi.mock('@photostructure/sqlite', () => {
  throw new Error('built for another machine')
})

test('without any the command says so in one line', async () => {
  const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  const { loadSqlite } = await import('../../../src/drive/persistence/database/sqlite.ts')
  await expect(loadSqlite()).rejects.toMatchObject({
    code: 'io',
    message: expect.stringMatching(/^the file store needs SQLite: [^\n]*cannot be loaded$/),
  })
  spy.mockRestore()
})
