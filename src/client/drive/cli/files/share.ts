/** `hla drive share`: lists and changes the permissions of a file or folder.  [network] */
import { filePath, parseDrivePath } from '../../paths.ts'
import {
  type DrivePermission,
  expire,
  grant,
  type Grantee,
  listPermissions,
  revoke,
} from '../../permissions.ts'
import { HlaError } from '../../../../errors.ts'
import type { ShareOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type DriveClient, withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** Prints the resulting permissions. @throws {HlaError} usage, not-found, io, remote */
export function shareCommand(path: string, options: ShareOptions): Promise<number> {
  const given = (options.with ?? []).map(parseGrantee)
  const removed = (options.remove ?? []).map(parseGrantee)
  return withDrive(options, async (drive) => {
    const { id } = await filePath(drive.connection, parseDrivePath(path))
    for (const grantee of removed) await remove(drive, id, grantee)
    for (const grantee of given) {
      const { id: permission } = await grant(drive.connection, id, grantee, options.role)
      if (options.expires !== undefined)
        await expire(drive.connection, id, permission, new Date(Date.now() + options.expires).toISOString())
    }
    const permissions = await listPermissions(drive.connection, id)
    printRows(permissions.map(permissionRow), options)
    return EXIT.ok
  })
}

/** Parses `ada@example.org`, `group:staff@example.org`, `domain:example.org`, `anyone`. */
export function parseGrantee(text: string): Grantee {
  if (text === 'anyone') return { type: 'anyone', value: '' }
  const [, type, value = text] = /^(user|group|domain):(.+)$/.exec(text) ?? []
  if (type === 'domain') return { type, value }
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return { type: type === 'group' ? 'group' : 'user', value }
  throw new HlaError('usage', `${JSON.stringify(text)} is not a user, group or domain to share with`, {
    offending: text,
    hint: 'ada@example.org, group:staff@example.org, domain:example.org or anyone',
  })
}

async function remove({ connection }: DriveClient, file: string, { type, value }: Grantee): Promise<void> {
  const all = await listPermissions(connection, file)
  const isMeant = (one: DrivePermission) =>
    one.value.toLowerCase() === value.toLowerCase() && (one.type === type || value.includes('@'))
  const found = all.filter(isMeant)
  if (found.length === 0)
    throw new HlaError('not-found', `it is not shared with ${value === '' ? 'anyone' : value}`)
  for (const { id } of found) await revoke(connection, file, id)
}

function permissionRow({ type, value, role, isInherited, isByLink, expires }: DrivePermission) {
  const who = value === '' ? 'anyone' : type === 'domain' ? `domain:${value}` : value
  return { who: shownTitle(who), role, inherited: isInherited, link: isByLink, expires }
}
