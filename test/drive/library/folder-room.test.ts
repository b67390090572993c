/** Maximum number of items in a folder. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRoom } from '../../../src/drive/domain/folders/parents.ts'
import { FOLDER_MIME } from '../../../src/drive/contract/kinds.ts'
import { type Library, openLibrary } from '../../support/library.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let library: Library
beforeAll(async () => {
  library = await openLibrary(temp('store'))
})
afterAll(() => library.close())

describe('checkRoom', () => {
  test('lets as many in as there may be, and one more when one has left', () => {
    const [caller] = library.callers
    const folder = library.run('insertFile', caller, { body: { title: 'd', mimeType: FOLDER_MIME } }).row
    // the same statements, but separate cached counts
    const { db: same } = library
    const db = { ...same }
    library.run('setLimit', caller, { name: 'folder-children', value: 3 })
    const put = (): string => {
      checkRoom(db, folder.pk)
      return library.run('insertFile', caller, { body: { parents: [{ id: folder.id }] } }).row.id
    }
    const ids = [put(), put(), put()]
    expect(put).toThrow('The limit of 3 items in a folder has been exceeded.')
    library.run('deleteFile', caller, { id: ids[1] ?? '' })
    expect(put()).toMatch(/^1/)
    expect(put).toThrow('limit')
  })
})
