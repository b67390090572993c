/** THE TABLE of who may do what, as the specification says it: every operation, every role, every scope. */
import type { Scope } from '../../src/drive/contract/failure.ts'
import type { MethodId } from '../../src/drive/contract/methods.ts'

/**
 * Who asks. In My Drive: the owner of a file in a folder of his, and those to whom the folder was given; in a shared drive: its
 * members; somebody to whom nothing was given; nobody.
 */
export const ROLES = [
  'owner', 'writer', 'commenter', 'reader',
  'organizer', 'fileOrganizer', 'writer in drive', 'commenter in drive', 'reader in drive',
  'stranger', 'anonymous',
] as const // prettier-ignore

export type Asker = (typeof ROLES)[number]

/** What a letter of the table stands for. */
export const OUTCOMES = {
  o: { status: [200, 204], reason: undefined },
  n: { status: [403], reason: undefined },
  // the file is there, and makes no sense for it
  x: { status: [400], reason: 'badRequest' },
  // as if it did not exist
  '-': { status: [404], reason: 'notFound' },
  a: { status: [401], reason: 'required' },
  // the token is not for this
  s: { status: [403], reason: 'insufficientPermissions' },
} as const

export type Outcome = keyof typeof OUTCOMES

/** Roles as in `ROLES`: four of My Drive, five of a shared drive, strangers, nobody. */
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
  // said by the owner, or by an organizer of the drive who is not asked here
  'comments.delete':           'onnn onnnn - a',
  'comments.get':              'oooo ooooo - a',
  'comments.insert':           'ooon oooon - a',
  'comments.list':             'oooo ooooo - a',
  'comments.patch':            'onnn nnnnn - a',
  'comments.update':           'onnn nnnnn - a',
  // of a drive, to which roles in My Drive give no right
  'drives.delete':             '---- onnnn - a',
  'drives.get':                '---- ooooo - a',
  'drives.hide':               '---- ooooo - a',
  'drives.insert':             'oooo ooooo o a',
  'drives.list':               'oooo ooooo o a',
  'drives.unhide':             '---- ooooo - a',
  'drives.update':             '---- onnnn - a',
  // to one's own root
  'files.copy':                'oooo ooooo - a',
  'files.delete':              'onnn onnnn - a',
  // one's own
  'files.emptyTrash':          'oooo ooooo o a',
  // there are no documents that could be exported
  'files.export':              'xxxx xxxxx - a',
  'files.generateIds':         'oooo ooooo o a',
  'files.get':                 'oooo ooooo - a',
  // into the folder
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
  // somebody else's
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

/** The scopes that open an operation; with any other alone it is refused, whoever asks. */
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

/** About no single item: no scope leaves anything out of their sight but what they list. */
const WITHOUT_ITEM: ReadonlySet<MethodId> = new Set([
  'about.get', 'apps.get', 'apps.list', 'changes.getStartPageToken', 'changes.list', 'changes.watch', 'channels.stop',
  'drives.insert', 'drives.list', 'files.emptyTrash', 'files.generateIds', 'files.list', 'permissions.getIdForEmail',
]) // prettier-ignore

/** How an operation is asked for: as metadata, by the beginning of an upload, or for the bytes. */
export type Way = 'plain' | 'upload' | 'media'

export interface Cell {
  readonly id: MethodId
  readonly way: Way
  readonly scope: string
}

/** The item was made by another program than the one that asks. */
export function expected({ id: operation, way, scope }: Cell, asker: Asker): Outcome {
  // as the table is written
  const outcome = RIGHTS[operation].replaceAll(' ', '')[ROLES.indexOf(asker)] as Outcome
  if (outcome === 'a') return 'a'
  if (!OPENED_BY[operation].split(' ').includes(scope)) return 's'
  const isMeta = scope.startsWith('meta')
  // nor from them
  if (way === 'upload' && isMeta) return 's'
  if (WITHOUT_ITEM.has(operation)) return outcome
  // only the program's own data: there is nothing else
  if (scope === 'appdata') return '-'
  // no bytes for those who are after metadata
  if (way === 'media' && isMeta && outcome === 'o') return 's'
  if (scope !== 'file' || (outcome !== 'o' && outcome !== 'x')) return outcome
  // only what the program made: the log of changes has no more, all else is refused
  return operation === 'changes.get' ? '-' : 'n'
}
