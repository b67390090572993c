/** files.generateIds: ids for files that a client is going to make, so that it can ask again without making two (spec 5.3). */
import { idKey } from '../../../domain/settings.ts'
import { userView } from '../../../domain/accounts/user-view.ts'
import { invalidParameter } from '../../../contract/failure.ts'
import { selectFields } from '../../../protocol/answers/fields.ts'
import { generateId } from '../../../protocol/ids.ts'
import { type CallAnswer, type Call, resource } from '../../requests/call.ts'

const SPACES = ['drive', 'appDataFolder']
const TYPES = ['files', 'shortcuts']

export function generateIds({ drive, caller, parameters }: Call): CallAnswer {
  const { maxResults = 10, space = 'drive', type = 'files' } = parameters
  if (!SPACES.includes(space)) throw invalidParameter('space', `Invalid value: ${space}`)
  if (!TYPES.includes(type)) throw invalidParameter('type', `Invalid value: ${type}`)
  const key = idKey(drive.store.read)
  const user = userView(drive.store.read, caller.user)?.id ?? ''
  const ids = Array.from({ length: maxResults }, () => generateId(key, { user, space }))
  const body = { kind: 'drive#generatedIds', space, ids }
  return resource(undefined, (selection) => selectFields(body, { ...selection, isWhole: false }))
}
