/** Which commands run while the disk is full: they free space or end access, or let somebody sign in to do so. */
import type { CommandRequest } from '../../persistence/writer/command.ts'
import type { Administering } from '../administration/administer.ts'
import type { CommandName } from '../commands.ts'
import type { UpdateFile } from '../files/update-file.ts'

/** Each writes a few rows for what it removes. */
const FREEING: ReadonlySet<string> = new Set<CommandName>([
  'deleteFile',
  'trashFile',
  'emptyTrash',
  'purge',
  'removeRevision',
  'removeLink',
  'removeProperty',
  'removeComment',
  'removeReply',
  'deleteDrive',
  'cancelUpload',
  'stopChannel',
  'forgetChannels',
  'settleDelivery',
  'removeRule',
  'endRule',
  // access ends
  'removePermission',
  'expireGrants',
  'removeUser',
  'changeUser',
  'removeMembers',
  'removeGroup',
  'removeClient',
  'changeClient',
  'removeAccount',
  'removeKey',
  'changeKey',
  'rotateKey',
  'revokeToken',
  'removeLabel',
  'setPassword',
  'setLimit',
  // a service starts, and people sign in to it
  'keepAddress',
  'addToken',
  'countAttempt',
  'forgetAttempt',
  'addCode',
  'redeemCode',
  'openDevice',
  'decideDevice',
  'redeemDevice',
])

/** As the requests of the interface and administration ask them. */
export function isFreeing({ command, input }: CommandRequest): boolean {
  // the input is that of the command
  if (command === 'administer')
    return (input as Administering).steps.every((step) => FREEING.has(step.command))
  if (command === 'updateFile') return isTrashing(input as UpdateFile)
  return FREEING.has(command)
}

/** `labels.trashed` in the body of an update, and nothing else. */
function isTrashing({ body, content, add }: UpdateFile): boolean {
  if (content !== undefined || add !== undefined) return false
  return body.labels?.trashed === true && Object.keys(body).length === 1
}
