/** Table of all commands that change the store; the writer thread runs them by name. */
import type { Caller } from '../contract/failure.ts'
import type { Transaction } from '../persistence/database/database.ts'
import type { Store } from '../persistence/store.ts'
import { ADMINISTRATIVE, administer } from './administration/administer.ts'
import { keepAddress } from './accounts/users.ts'
import { addLink, removeLink } from './folders/children.ts'
import {
  addComment,
  addReply,
  changeComment,
  changeReply,
  removeComment,
  removeReply,
} from './comments/comments.ts'
import { forgetChannels, stopChannel, watchChanges, watchFile } from './channels/channels.ts'
import { copyFile } from './files/copy-file.ts'
import { changeDrive, deleteDrive, hideDrive, insertDrive } from './drives/drives.ts'
import { expireGrants } from './permissions/permissions.ts'
import { deleteFile } from './files/remove-items.ts'
import { recordDelivery, withNotifications } from './channels/notifications.ts'
import { changeProperty, putProperty, removeProperty } from './properties/properties.ts'
import { insertFile } from './files/insert-file.ts'
import { modifyLabels } from './labels/labels.ts'
import { markViewed, touchFile, updateFile } from './files/update-file.ts'
import { purge } from './upkeep/purge.ts'
import { changeRevision, removeRevision } from './revisions/revisions.ts'
import { addRule, endRule, noteRule, removeRule } from './rules/rules.ts'
import { settleTable } from './rules/settle-table.ts'
import { setUp } from './upkeep/row-checks.ts'
import { closeLink, countDownload, openLink } from './permissions/links.ts'
import { changePermission, insertPermission, removePermission } from './permissions/share.ts'
import {
  cancelUpload,
  finishUpload,
  noteUpload,
  openUpload,
  storeUpload,
  tryUpload,
} from './uploads/upload-sessions.ts'
import { emptyTrash, trashFile, untrashFile } from './trash/trash.ts'
import { countAttempt, forgetAttempt } from './sign-in/passwords.ts'
import { addCode, redeemCode } from './sign-in/codes.ts'
import { decideDevice, openDevice, redeemDevice } from './sign-in/devices.ts'

export const COMMANDS = withNotifications({
  setUp,
  keepAddress,
  purge,
  ...ADMINISTRATIVE,
  administer,
  countAttempt,
  forgetAttempt,
  addCode,
  redeemCode,
  openDevice,
  decideDevice,
  redeemDevice,
  insertFile,
  updateFile,
  deleteFile,
  copyFile,
  touchFile,
  trashFile,
  untrashFile,
  emptyTrash,
  markViewed,
  addLink,
  removeLink,
  putProperty,
  changeProperty,
  removeProperty,
  modifyLabels,
  addComment,
  changeComment,
  removeComment,
  addReply,
  changeReply,
  removeReply,
  changeRevision,
  removeRevision,
  insertPermission,
  changePermission,
  removePermission,
  expireGrants,
  openLink,
  closeLink,
  countDownload,
  insertDrive,
  changeDrive,
  hideDrive,
  deleteDrive,
  storeUpload,
  tryUpload,
  openUpload,
  noteUpload,
  finishUpload,
  cancelUpload,
  watchFile,
  watchChanges,
  stopChannel,
  forgetChannels,
  addRule,
  removeRule,
  endRule,
  noteRule,
  settleTable,
  settleDelivery: recordDelivery,
})

export type CommandName = keyof typeof COMMANDS

export type CommandInput<Name extends CommandName> = (typeof COMMANDS)[Name] extends (
  tx: Transaction,
  caller: Caller,
  input: infer Given,
) => unknown
  ? Given
  : never

export type CommandResult<Name extends CommandName> = ReturnType<(typeof COMMANDS)[Name]>

/** Resolves when the change is on disk. */
export function command<Name extends CommandName>(
  store: Store,
  name: Name,
  caller: Caller,
  input: CommandInput<Name>,
): Promise<CommandResult<Name>> {
  return store.write(name, caller, input)
}

/** Caller for the operator, who is not a user of the service. */
export const OPERATOR: Caller = { user: 0, client: 0, scopes: [] }
