/** `hla drive link list`: links that open files without an account.  [network] */
import { type DriveLink, listLinks } from '../../client/links.ts'
import type { LinkListOptions } from '../options/file-options.ts'
import { type Cell, printRows } from '../print.ts'
import { withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** @throws {HlaError} io — refused; remote */
export function listLinksCommand(options: LinkListOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const links = await listLinks(connection, options.all ?? false)
    printRows(links.map(linkRow), options)
  })
}

export function linkRow(link: DriveLink): Record<string, Cell> {
  const { title, expires, maker, hasPassword, downloads, mostDownloads, address } = link
  return {
    file: shownTitle(title),
    by: shownTitle(maker),
    expires: expires || undefined,
    password: hasPassword,
    downloads,
    most: mostDownloads,
    address,
  }
}
