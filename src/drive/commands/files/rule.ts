/** `hla drive rule`: rules by which a store converts each table put into a folder.  [network] */
import { folderAt, parseDrivePath } from '../../client/paths.ts'
import { type DriveRule, listRules, makeRule, removeRule } from '../../client/rules.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import type { ListOptions, RuleOptions } from '../options/file-options.ts'
import { type Cell, printRows } from '../print.ts'
import { type DriveClient, withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** @throws {HlaError} not-found, usage, io — refused; remote */
export function addRuleCommand(path: string, options: RuleOptions): Promise<void> {
  const { to, method, ruleRelease: release, match, existing, recursive, json } = options
  return withDrive(options, async (drive) => {
    const folder = await folderId(drive, path)
    const target = to === undefined ? undefined : await folderId(drive, to)
    const flags = { includesExisting: existing ?? false, withSubfolders: recursive ?? false }
    const asked = { folder, target, method, release, match, ...flags }
    printRows([described(await makeRule(drive.connection, asked))], { json: json ?? false })
  })
}

export function listRulesCommand(path: string | undefined, options: ListOptions): Promise<void> {
  return withDrive(options, async (drive) => {
    const folder = path === undefined ? undefined : await folderId(drive, path)
    printRows((await listRules(drive.connection, folder)).map(described), options)
  })
}

export function removeRuleCommand(id: string, options: DriveFlags): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    await removeRule(connection, id)
  })
}

async function folderId({ connection }: DriveClient, path: string): Promise<string> {
  return (await folderAt(connection, parseDrivePath(path))).id
}

function described({
  folder,
  maker,
  release,
  match,
  withSubfolders,
  trouble,
  ...rest
}: DriveRule): Record<string, Cell> {
  const { id, method, converted, failed } = rest
  return {
    id,
    folder: shownTitle(folder),
    method,
    release: release === '' ? undefined : release,
    match: match === '' ? undefined : shownTitle(match),
    maker: shownTitle(maker),
    recursive: withSubfolders,
    converted,
    failed,
    trouble: trouble === '' ? undefined : shownTitle(trouble),
  }
}
