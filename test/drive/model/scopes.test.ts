/** What the scopes of a token open to a program: items that it made, and items of other programs. */
import { expect, test } from 'vitest'
import type { Scope } from '../../../src/drive/contract/failure.ts'
import { hasAppAccess, isInScope, opensContents } from '../../../src/drive/domain/access/access.ts'

/** `see read write open`: the words that hold for an item that the program made, and for another one. */
test.for<[scopes: Scope[], own: string, other: string]>([
  [['drive'], 'see read write open', 'see read write open'],
  [['drive.readonly'], 'see read write open', 'see read open'],
  [['drive.file'], 'see read write open', 'see'],
  [['drive.metadata'], 'see read write', 'see read write'],
  [['drive.metadata.readonly'], 'see read write', 'see read'],
  [['drive.appdata'], 'read write', ''],
  // each scope adds what it opens
  [['drive.appdata', 'drive'], 'see read write open', 'see read write open'],
  [['drive.file', 'drive.appdata'], 'see read write open', 'see'],
  [['drive.file', 'drive.readonly'], 'see read write open', 'see read open'],
  [['drive.file', 'drive.metadata'], 'see read write open', 'see read write'],
  [['drive.metadata.readonly', 'drive.file'], 'see read write open', 'see read'],
  [['drive.readonly', 'drive.metadata'], 'see read write open', 'see read write open'],
  [['drive.metadata', 'drive.metadata.readonly'], 'see read write', 'see read write'],
])('%j: own items %s, others %s', ([scopes, own, other]) => {
  const caller = { user: 1, client: 1, scopes }
  const opened = [1, 2].map((client) => {
    const item = { space: 'drive', client, drive: null } as const
    const words = {
      see: isInScope(caller, item),
      read: hasAppAccess(caller, item, 'read'),
      write: hasAppAccess(caller, item, 'write'),
      open: opensContents(caller, item),
    }
    return Object.entries(words)
      .filter(([, holds]) => holds)
      .map(([word]) => word)
      .join(' ')
  })
  expect(opened).toEqual([own, other])
})
