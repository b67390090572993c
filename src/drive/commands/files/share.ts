/** `hla drive share`: lists and changes the permissions of a file or folder.  [network] */
import { filePath, parseDrivePath } from '../../client/paths.ts'
import {
  type DrivePermission,
  grant,
  type Grantee,
  listPermissions,
  revoke,
} from '../../client/permissions.ts'
import { HlaError } from '../../../errors.ts'
import type { ShareOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { readPassword } from '../password-file.ts'
import { makeLink } from '../../client/links.ts'
import { linkRow } from './link.ts'
import { type DriveClient, withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** Prints the resulting permissions. @throws {HlaError} usage, not-found, io, remote */
export function shareCommand(path: string, options: ShareOptions): Promise<void> {
  const given = (options.with ?? []).map(parseGrantee)
  const removed = (options.remove ?? []).map((text) => (isLinkId(text) ? text : parseGrantee(text)))
  checkLinkOptions(path, options)
  return withDrive(options, async (drive) => {
    const { id } = await filePath(drive.connection, parseDrivePath(path))
    if (options.link === true) return shareLink(drive, id, options)
    for (const grantee of removed) await remove(drive, id, grantee)
    const terms = { role: options.role, expires: endAfter(options.expires) }
    for (const grantee of given) await grant(drive.connection, id, grantee, terms)
    const permissions = await listPermissions(drive.connection, id)
    printRows(permissions.map(permissionRow), options)
  })
}

/** @throws {HlaError} usage */
function checkLinkOptions(path: string, options: ShareOptions): void {
  const { link = false, passwordFile, downloads, with: given = [], remove: removed = [], role } = options
  if (!link && (passwordFile !== undefined || downloads !== undefined))
    throw new HlaError('usage', '--password-file and --downloads need --link', {
      hint: `hla drive share --link ${path}`,
    })
  if (link && (given.length > 0 || removed.length > 0 || role !== 'reader'))
    throw new HlaError('usage', '--link takes no --with, --remove and --role: it lets anyone who has it read')
  if (downloads === 0) throw new HlaError('usage', '--downloads must be at least 1')
}

async function shareLink(
  { connection }: DriveClient,
  file: string,
  { passwordFile, downloads: mostDownloads, expires, json }: ShareOptions,
): Promise<void> {
  const password = passwordFile === undefined ? undefined : await readPassword(passwordFile)
  const made = await makeLink(connection, { file, password, mostDownloads, expires: endAfter(expires) })
  printRows([linkRow(made)], { json: json ?? false })
}

/** RFC 3339 time after so many ms. */
function endAfter(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(Date.now() + time).toISOString()
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

/** `link-…`: a link of its own, which is a permission with this id. */
function isLinkId(text: string): boolean {
  return text.startsWith('link-')
}

async function remove({ connection }: DriveClient, file: string, given: Grantee | string): Promise<void> {
  if (typeof given === 'string') return revoke(connection, file, given)
  const { type, value } = given
  const all = await listPermissions(connection, file)
  const isMeant = (one: DrivePermission) =>
    !isLinkId(one.id) &&
    one.value.toLowerCase() === value.toLowerCase() &&
    (one.type === type || value.includes('@'))
  const found = all.filter(isMeant)
  if (found.length === 0)
    throw new HlaError('not-found', `it is not shared with ${value === '' ? 'anyone' : value}`)
  for (const { id } of found) await revoke(connection, file, id)
}

function permissionRow({ id, type, value, role, isInherited, isByLink, expires }: DrivePermission) {
  const who = isLinkId(id) ? id : value === '' ? 'anyone' : type === 'domain' ? `domain:${value}` : value
  return { who: shownTitle(who), role, inherited: isInherited, link: isByLink, expires }
}
