/** Rows with more fields than the table are refused before they are split, with their line. */
import { expect, test } from 'vitest'
import { sniffDialect } from '../../src/table/input/dialect.ts'
import { readRows, refuseEndless } from '../../src/table/input/read-table.ts'
import { atTheLimit } from '../support/at-the-limit.ts'

async function read(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 65_536)
      yield await Promise.resolve(bytes.subarray(at, at + 65_536))
  }
  let rows = 0
  for await (const block of readRows(chunks(), sniffDialect('a.csv', Buffer.from('id,A_1\n1,2\n'), {})))
    rows += block.length
  return rows
}

const SEVERAL = 'id,A_1\n1,01:01\n'

test.for([
  ['plain', `${','.repeat(50_000)}\n2,x\n`],
  ['without an end', ','.repeat(50_000)],
  ['quoted', `${'"x",'.repeat(50_000)}"x"\n`],
  ['quoted, without an end', '"",'.repeat(4_000_000)],
])('%s', async ([, row]) => {
  await expect(read(SEVERAL + row)).rejects.toMatchObject({
    code: 'io',
    message: 'line 3: a row of more than 50,000 fields is too long for a table',
  })
})

test('as many as there may be are read', async () => {
  expect(await read(`${SEVERAL}${','.repeat(49_999)}\n`)).toBe(3)
  expect(await read(`${SEVERAL}"a${','.repeat(200_000)}",2\n`)).toBe(3)
})

test('a row without an end is read up to 64 MiB', () => {
  const refuse = (bytes: Buffer, quote: string) => () => refuseEndless(bytes, 3, { quote })
  const [most, more] = atTheLimit((size) => Buffer.alloc(size), 64 * 1024 * 1024)
  expect(refuse(most, '"')).not.toThrow()
  expect(refuse(more, '"')).toThrow('line 3: a row of more than 64 MiB is too long for a table')
  more[7] = 0x22
  expect(refuse(more, '"')).toThrow('line 3: a quoted field that starts there is never closed')
})
