/** Folders that a rule covers while folders move and are trashed. */
import { describe, expect, test } from 'vitest'
import type { DriveFile } from '../../src/drive/client/resource.ts'
import { FOLDER_TYPE, readFile } from '../../src/drive/client/resource.ts'
import { ruleFolders } from '../../src/drive/rules/convert-changes.ts'
import type { FolderRule } from '../../src/drive/rules/folder-rule.ts'
import { scriptedStore } from '../support/scripted-store.ts'

interface Item {
  readonly parents: readonly string[]
  readonly isFolder?: boolean
  readonly isTrashed?: boolean
}

const ITEMS: Readonly<Record<string, Item>> = {
  watched: { parents: ['root'], isFolder: true },
  'a.csv': { parents: ['watched'] },
  below: { parents: ['watched'], isFolder: true },
  'b.csv': { parents: ['below'] },
  deeper: { parents: ['below'], isFolder: true },
  'c.csv': { parents: ['deeper'] },
  // is in two watched folders
  'twice.csv': { parents: ['elsewhere', 'deeper'] },
  elsewhere: { parents: ['root'], isFolder: true },
  'd.csv': { parents: ['elsewhere'] },
  trashed: { parents: ['watched'], isFolder: true, isTrashed: true },
  'e.csv': { parents: ['trashed'] },
  'lost.csv': { parents: ['a folder that the caller does not see'] },
  // a cycle, which only a fault of the store can create
  round: { parents: ['round'], isFolder: true },
  'f.csv': { parents: ['round'] },
}

const body = (id: string) => {
  const { parents, isFolder, isTrashed } = ITEMS[id] ?? { parents: [] }
  return {
    id,
    title: id,
    mimeType: isFolder === true ? FOLDER_TYPE : 'text/csv',
    labels: { trashed: isTrashed === true },
    parents: parents.map((parent) => ({ id: parent })),
  }
}

const file = (id: string) => readFile(body(id))

function rule(isRecursive: boolean) {
  const { connection, asked } = scriptedStore(({ path, query }) => {
    const id = path.split('/').at(-1) ?? ''
    if (id !== 'files') return id in ITEMS ? { body: body(id) } : { status: 404 }
    const folder = /^'(.*)' in parents and trashed = false$/.exec(String(query?.['q']))?.[1] ?? ''
    const found = Object.keys(ITEMS).filter((one) => ITEMS[one]?.parents.includes(folder) === true && ITEMS[one]?.isTrashed !== true) // prettier-ignore
    return { body: { items: found.map(body) } }
  })
  const folder = file('watched')
  const drive = { connection, retries: 0 }
  const watching = {
    drive,
    folder,
    path: '/watched/',
    isRecursive,
    to: folder,
    toPath: '/out/',
  } as FolderRule
  return { ...ruleFolders(watching), asked }
}

const titles = async (files: AsyncIterable<DriveFile>) => {
  const found: string[] = []
  for await (const { title } of files) found.push(title)
  return found.toSorted()
}

describe('a rule of one folder', () => {
  test.for([
    ['a.csv', ['/watched/', '/out/']],
    ['b.csv', undefined],
    ['d.csv', undefined],
    ['lost.csv', undefined],
  ] as const)('%s: %j', async ([name, paths]) => {
    const over = await rule(false).ruleOver(file(name))
    expect(over && [over.path, over.toPath]).toEqual(paths)
  })

  test('gives what is in it, folders as they are', async () => {
    expect(await titles(rule(false).all())).toEqual(['a.csv', 'below'])
    expect(await titles(rule(false).withNew([file('below'), file('b.csv')]))).toEqual(['b.csv', 'below'])
  })
})

describe('a rule of a folder and all below it', () => {
  test.for([
    ['a.csv', ['/watched/', '/out/', 'watched']],
    ['b.csv', ['/watched/below/', '/watched/below/', 'below']],
    ['c.csv', ['/watched/below/deeper/', '/watched/below/deeper/', 'deeper']],
    ['twice.csv', ['/watched/below/deeper/', '/watched/below/deeper/', 'deeper']],
    ['d.csv', undefined],
    ['e.csv', undefined],
    ['lost.csv', undefined],
    ['f.csv', undefined],
  ] as const)('%s: %j', async ([name, expected]) => {
    const over = await rule(true).ruleOver(file(name))
    expect(over && [over.path, over.toPath, over.to.title]).toEqual(expected)
  })

  test('asks for a folder once', async () => {
    const { ruleOver, asked } = rule(true)
    for (const name of ['c.csv', 'twice.csv', 'c.csv']) await ruleOver(file(name))
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['deeper', 'below', 'elsewhere', 'root'])
  })

  test('gives all that is there', async () => {
    expect(await titles(rule(true).all())).toEqual(['a.csv', 'b.csv', 'c.csv', 'twice.csv'])
  })

  test.for([
    [['a.csv'], ['a.csv']],
    // the folder arrived with its files
    [['below'], ['b.csv', 'c.csv', 'twice.csv']],
    [
      ['below', 'deeper'],
      ['b.csv', 'c.csv', 'twice.csv'],
    ],
    // the watched folder itself changed
    [['watched'], ['watched']],
    [['elsewhere'], ['elsewhere']],
    [['trashed'], ['trashed']],
  ] as const)('of %j come %j', async ([came, expected]) => {
    expect(await titles(rule(true).withNew(came.map(file)))).toEqual(expected)
  })
})
