/** Which collections a list is about (spec 19). Nobody has a shared drive yet: what names one names nothing. */
import { badRequest, invalidParameter, notFound } from '../model/failure.ts'
import type { ParameterValues } from '../model/parameter.ts'

const CORPORA = new Set(['default', 'user', 'domain', 'drive', 'teamDrive', 'allDrives', 'allTeamDrives'])

/** @throws 400, 404 */
export function checkCorpora(parameters: ParameterValues): void {
  const { corpora = 'default', driveId = parameters.teamDriveId } = parameters
  for (const one of corpora.split(','))
    if (!CORPORA.has(one.trim())) throw invalidParameter('corpora', `Invalid value: ${one}`)
  const includesDrives =
    parameters.includeItemsFromAllDrives === true || parameters.includeTeamDriveItems === true
  const supportsDrives = parameters.supportsAllDrives === true || parameters.supportsTeamDrives === true
  if (includesDrives && !supportsDrives)
    throw badRequest('includeItemsFromAllDrives needs supportsAllDrives=true.', 'includeItemsFromAllDrives')
  const isOneDrive = corpora === 'drive' || corpora === 'teamDrive'
  if (isOneDrive && driveId === undefined) throw badRequest('corpora=drive needs driveId.', 'driveId')
  if (driveId === undefined) return
  if (!isOneDrive) throw badRequest('driveId needs corpora=drive.', 'driveId')
  throw notFound('Shared drive', driveId, 'driveId')
}
