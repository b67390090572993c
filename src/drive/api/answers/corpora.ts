/** Parses which collection a list covers (spec 5.8, 19). */
import type { ListCall } from '../requests/parts.ts'
import { findVisibleFile } from '../../domain/access/access.ts'
import type { Corpus } from '../../domain/search/list-files.ts'
import { badRequest, invalidParameter, notFound } from '../../contract/failure.ts'
import type { ParameterValues } from '../../contract/parameter.ts'
import { labelsNamed } from '../../domain/labels/labels.ts'
import { viewPermissions } from '../../domain/permissions/permissions.ts'
import type { FileContext } from '../resources/file.ts'
import { labelResource } from '../operations/labels.ts'

const CORPORA = new Set(['default', 'user', 'domain', 'drive', 'teamDrive', 'allDrives', 'allTeamDrives'])

/** @throws 400, 404 */
export function readCorpus(call: ListCall): Corpus {
  const { parameters } = call
  const { corpora = parameters.corpus === 'DOMAIN' ? 'domain' : 'default' } = parameters
  for (const one of corpora.split(','))
    if (!CORPORA.has(one.trim())) throw invalidParameter('corpora', `Invalid value: ${one}`)
  const includes = includesDrives(parameters)
  const id = driveNamed(parameters)
  const isOneDrive = corpora === 'drive' || corpora === 'teamDrive'
  if (isOneDrive && id === undefined) throw badRequest('corpora=drive needs driveId.', 'driveId')
  if (!isOneDrive && id !== undefined) throw badRequest('driveId needs corpora=drive.', 'driveId')
  if (id !== undefined) return { kind: 'drive', drive: driveKey(call, id) }
  if (corpora === 'domain') return { kind: 'domain' }
  if (!includes) return { kind: 'mine' }
  return { kind: corpora === 'allDrives' || corpora === 'allTeamDrives' ? 'all' : 'given' }
}

/** True if the request asks for items of shared drives. @throws 400 — without `supportsAllDrives` */
export function includesDrives(parameters: ParameterValues): boolean {
  const includes = parameters.includeItemsFromAllDrives === true || parameters.includeTeamDriveItems === true
  const knows = parameters.supportsAllDrives === true || parameters.supportsTeamDrives === true
  if (includes && !knows)
    throw badRequest('includeItemsFromAllDrives needs supportsAllDrives=true.', 'includeItemsFromAllDrives')
  return includes
}

export function driveNamed({ driveId, teamDriveId }: ParameterValues): string | undefined {
  return driveId ?? teamDriveId
}

/** @throws 404 */
export function driveKey({ drive, caller }: ListCall, id: string): number {
  const root = findVisibleFile(drive.store.read, caller, id)
  if (root === undefined || root.drive !== root.pk) throw notFound('Shared drive', id, 'driveId')
  return root.pk
}

/** Data for file resources, with the labels that `includeLabels` names. */
export function readFileContext({ drive, caller, links, parameters }: ListCall): FileContext {
  const { read } = drive.store
  const ids = parameters.includeLabels?.split(',').map((id) => id.trim())
  const permissions: FileContext['permissions'] = ({ row, role }) =>
    viewPermissions(read, caller, { ...row, role })
  if (ids === undefined) return { caller, links, permissions }
  return {
    caller,
    links,
    permissions,
    labelsOf: (file) => labelsNamed(read, file, ids).map((label) => labelResource(label, caller)),
  }
}
