/** THE TABLE of access rights from the specification: every operation, role and scope. */
import type { Scope } from '../../src/drive/contract/failure.ts'
import type { MethodId } from '../../src/drive/contract/methods.ts'

/**
 * Askers. In My Drive: the owner of a file in a folder of their own, and users with a role on that folder. In a shared
 * drive: its members. Also a user without any role, and a request without a token.
 */
export const ROLES = [
  'owner', 'writer', 'commenter', 'reader',
  'organizer', 'fileOrganizer', 'writer in drive', 'commenter in drive', 'reader in drive',
  'stranger', 'anonymous',
] as const // prettier-ignore

export type Asker = (typeof ROLES)[number]

/** Letters of the table. */
export const OUTCOMES = {
  o: { status: [200, 204], reason: undefined },
  n: { status: [403], reason: undefined },
  // the file exists, but the operation does not apply to it
  x: { status: [400], reason: 'badRequest' },
  // as if the file did not exist
  '-': { status: [404], reason: 'notFound' },
  a: { status: [401], reason: 'required' },
  // the scopes of the token do not allow the operation
  s: { status: [403], reason: 'insufficientPermissions' },
} as const

export type Outcome = keyof typeof OUTCOMES

/** Columns as in `ROLES`: four of My Drive, five of a shared drive, stranger, anonymous. */
export const RIGHTS: Readonly<Record<MethodId, string>> = {
  'about.get':                 'oooo ooooo o a',
  'apps.get':                  'oooo ooooo o a',
  'apps.list':                 'oooo ooooo o a',
  'changes.get':               'oooo ooooo - a',
  'changes.getStartPageToken': 'oooo ooooo o a',
  'changes.list':              'oooo ooooo o a',
  'changes.watch':             'oooo ooooo o a',
  'channels.stop':             'oooo ooooo o a',
  'children.delete':           'oonn ooonn - a',
  'children.get':              'oooo ooooo - a',
  'children.insert':           'oonn ooonn - a',
  'children.list':             'oooo ooooo - a',
  // the author is the owner, or an organizer of the drive who is not an asker
  'comments.delete':           'onnn onnnn - a',
  'comments.get':              'oooo ooooo - a',
  'comments.insert':           'ooon oooon - a',
  'comments.list':             'oooo ooooo - a',
  'comments.patch':            'onnn nnnnn - a',
  'comments.update':           'onnn nnnnn - a',
  // operations on a shared drive, to which roles in My Drive give no right
  'drives.delete':             '---- onnnn - a',
  'drives.get':                '---- ooooo - a',
  'drives.hide':               '---- ooooo - a',
  'drives.insert':             'oooo ooooo o a',
  'drives.list':               'oooo ooooo o a',
  'drives.unhide':             '---- ooooo - a',
  'drives.update':             '---- onnnn - a',
  // copies into the asker's root
  'files.copy':                'oooo ooooo - a',
  'files.delete':              'onnn onnnn - a',
  // deletes the asker's trash
  'files.emptyTrash':          'oooo ooooo o a',
  // the file has no format to export to
  'files.export':              'xxxx xxxxx - a',
  'files.generateIds':         'oooo ooooo o a',
  'files.get':                 'oooo ooooo - a',
  // creates in the folder
  'files.insert':              'oonn ooonn - a',
  'files.list':                'oooo ooooo o a',
  'files.listLabels':          'oooo ooooo - a',
  'files.modifyLabels':        'oonn ooonn - a',
  'files.patch':               'oonn ooonn - a',
  'files.touch':               'oonn ooonn - a',
  'files.trash':               'onnn oonnn - a',
  'files.untrash':             'onnn oonnn - a',
  'files.update':              'oonn ooonn - a',
  'files.watch':               'oooo ooooo - a',
  'parents.delete':            'oonn ooonn - a',
  'parents.get':               'oooo ooooo - a',
  'parents.insert':            'oonn ooonn - a',
  'parents.list':              'oooo ooooo - a',
  // another user's permission
  'permissions.delete':        'oonn oonnn - a',
  'permissions.get':           'oonn ooonn - a',
  'permissions.getIdForEmail': 'oooo ooooo o a',
  'permissions.insert':        'oonn oonnn - a',
  'permissions.list':          'oonn ooonn - a',
  'permissions.patch':         'oonn oonnn - a',
  'permissions.update':        'oonn oonnn - a',
  'properties.delete':         'oonn ooonn - a',
  'properties.get':            'oooo ooooo - a',
  'properties.insert':         'oonn ooonn - a',
  'properties.list':           'oooo ooooo - a',
  'properties.patch':          'oonn ooonn - a',
  'properties.update':         'oonn ooonn - a',
  'replies.delete':            'onnn onnnn - a',
  'replies.get':               'oooo ooooo - a',
  'replies.insert':            'ooon oooon - a',
  'replies.list':              'oooo ooooo - a',
  'replies.patch':             'onnn nnnnn - a',
  'replies.update':            'onnn nnnnn - a',
  'revisions.delete':          'oonn ooonn - a',
  'revisions.get':             'oonn ooonn - a',
  'revisions.list':            'oonn ooonn - a',
  'revisions.patch':           'oonn ooonn - a',
  'revisions.update':          'oonn ooonn - a',
} // prettier-ignore

/** Short names of the scopes. */
export const SCOPE_WORDS: Readonly<Record<string, Scope>> = {
  full: 'drive',
  read: 'drive.readonly',
  file: 'drive.file',
  appdata: 'drive.appdata',
  meta: 'drive.metadata',
  metaread: 'drive.metadata.readonly',
  apps: 'drive.apps.readonly',
  photos: 'drive.photos.readonly',
  meet: 'drive.meet.readonly',
  scripts: 'drive.scripts',
}

/** Scopes that allow an operation; with any other scope alone every asker is refused. */
export const OPENED_BY: Readonly<Record<MethodId, string>> = {
  'about.get':                 'full read file appdata meta metaread photos',
  'apps.get':                  'full read file appdata meta metaread apps',
  'apps.list':                 'apps',
  'changes.get':               'full read file appdata meta metaread apps photos meet',
  'changes.getStartPageToken': 'full read file appdata meta metaread apps photos meet',
  'changes.list':              'full read file appdata meta metaread apps photos meet',
  'changes.watch':             'full read file appdata meta metaread apps photos meet',
  'channels.stop':             'full read file appdata meta metaread apps photos meet',
  'children.delete':           'full file',
  'children.get':              'full read file appdata meta metaread photos meet',
  'children.insert':           'full file appdata',
  'children.list':             'full read file appdata meta metaread photos meet',
  'comments.delete':           'full file',
  'comments.get':              'full read file meet',
  'comments.insert':           'full file',
  'comments.list':             'full read file meet',
  'comments.patch':            'full file',
  'comments.update':           'full file',
  'drives.delete':             'full',
  'drives.get':                'full read',
  'drives.hide':               'full',
  'drives.insert':             'full',
  'drives.list':               'full read',
  'drives.unhide':             'full',
  'drives.update':             'full',
  'files.copy':                'full file appdata apps photos',
  'files.delete':              'full file appdata',
  'files.emptyTrash':          'full',
  'files.export':              'full read file meet',
  'files.generateIds':         'full file appdata',
  'files.get':                 'full read file appdata meta metaread photos meet',
  'files.insert':              'full file appdata apps',
  'files.list':                'full read file appdata meta metaread apps photos meet',
  'files.listLabels':          'full read file meta metaread meet',
  'files.modifyLabels':        'full file meta',
  'files.patch':               'full file appdata meta apps scripts',
  'files.touch':               'full file appdata meta apps',
  'files.trash':               'full file appdata apps',
  'files.untrash':             'full file appdata apps',
  'files.update':              'full file appdata meta apps scripts',
  'files.watch':               'full read file appdata meta metaread photos meet',
  'parents.delete':            'full file',
  'parents.get':               'full read file appdata meta metaread photos meet',
  'parents.insert':            'full file appdata',
  'parents.list':              'full read file appdata meta metaread photos meet',
  'permissions.delete':        'full file',
  'permissions.get':           'full read file meta metaread photos meet',
  'permissions.getIdForEmail': 'full read file appdata meta metaread apps photos',
  'permissions.insert':        'full file',
  'permissions.list':          'full read file meta metaread photos meet',
  'permissions.patch':         'full file',
  'permissions.update':        'full file',
  'properties.delete':         'full file appdata meta',
  'properties.get':            'full read file appdata meta metaread photos meet',
  'properties.insert':         'full file appdata meta',
  'properties.list':           'full read file appdata meta metaread photos meet',
  'properties.patch':          'full file appdata meta',
  'properties.update':         'full file appdata meta',
  'replies.delete':            'full file',
  'replies.get':               'full read file meet',
  'replies.insert':            'full file',
  'replies.list':              'full read file meet',
  'replies.patch':             'full file',
  'replies.update':            'full file',
  'revisions.delete':          'full file appdata',
  'revisions.get':             'full read file appdata meta metaread photos meet',
  'revisions.list':            'full read file appdata meta metaread photos meet',
  'revisions.patch':           'full file appdata',
  'revisions.update':          'full file appdata',
} // prettier-ignore

/** Operations without an item. Scopes restrict the items they list, but not the operations. */
const WITHOUT_ITEM: ReadonlySet<MethodId> = new Set([
  'about.get', 'apps.get', 'apps.list', 'changes.getStartPageToken', 'changes.list', 'changes.watch', 'channels.stop',
  'drives.insert', 'drives.list', 'files.emptyTrash', 'files.generateIds', 'files.list', 'permissions.getIdForEmail',
]) // prettier-ignore

/** Form of the request: metadata, start of an upload, or download. */
export type Way = 'plain' | 'upload' | 'media'

export interface Cell {
  readonly id: MethodId
  readonly way: Way
  readonly scope: string
}

/** Expected outcome for an item that another program created. */
export function expected({ id: operation, way, scope }: Cell, asker: Asker): Outcome {
  // the table has a letter for each role
  const outcome = RIGHTS[operation].replaceAll(' ', '')[ROLES.indexOf(asker)] as Outcome
  if (outcome === 'a') return 'a'
  if (!OPENED_BY[operation].split(' ').includes(scope)) return 's'
  const isMeta = scope.startsWith('meta')
  // metadata scopes do not allow uploads
  if (way === 'upload' && isMeta) return 's'
  if (WITHOUT_ITEM.has(operation)) return outcome
  // this scope covers only the program's own data
  if (scope === 'appdata') return '-'
  // metadata scopes do not allow downloads
  if (way === 'media' && isMeta && outcome === 'o') return 's'
  if (scope !== 'file' || (outcome !== 'o' && outcome !== 'x')) return outcome
  // the scope covers only files of the program: the change log omits others, all else is refused
  return operation === 'changes.get' ? '-' : 'n'
}
