/** Commands that run while the disk is full: they free space, end access, or sign users in so that they can do so.  [disk] */
import type { CommandRequest } from '../../persistence/database/database.ts'
import type { Administering } from '../administration/administer.ts'
import { type CommandName, OPERATOR, command } from '../commands.ts'
import type { UpdateFile } from '../files/update-file.ts'
import type { Keeping } from './purge-step.ts'
import { errorMessage } from '../../../errors.ts'
import {
  type GarbageReport,
  DEFAULT_GRACE,
  collectGarbage,
} from '../../persistence/upkeep/collect-garbage.ts'
import type { Store } from '../../persistence/store.ts'
import { purgeAll } from './purge.ts'
import { uploadLife } from '../uploads/upload-sessions.ts'

/** Each of these commands writes only a few rows. */
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
  // end access
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
  // start the service, and sign users in
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

/** Checks a command as API requests and administration send it. */
export function isFreeing({ command, input }: CommandRequest): boolean {
  // the name determines the type of the input
  if (command === 'administer')
    return (input as Administering).steps.every((step) => FREEING.has(step.command))
  if (command === 'updateFile') return isTrashing(input as UpdateFile)
  return FREEING.has(command)
}

/** True for an update that only sets `labels.trashed`. */
function isTrashing({ body, content, add }: UpdateFile): boolean {
  if (content !== undefined || add !== undefined) return false
  return body.labels?.trashed === true && Object.keys(body).length === 1
}

/** ms between two runs */
const CHECK_MS = 3_600_000

interface TidyOptions {
  /** Same meaning as in `GarbageOptions`. */
  readonly isAlone?: boolean
  /** ms: younger data may belong to a request in progress. */
  readonly grace?: number | undefined
  /** Kinds without a setting are kept. */
  readonly keeping?: Keeping
}

export function tidy(
  store: Store,
  { grace = DEFAULT_GRACE, keeping, isAlone = false }: TidyOptions = {},
): Promise<GarbageReport> {
  const purge = () => purgeAll((step) => command(store, 'purge', OPERATOR, { ...step, ...keeping }))
  return collectGarbage(store, { grace, isAlone, uploadLife: uploadLife(store.read), purge })
}

/** Runs hourly; an error in one run does not stop the next. @returns a function that stops it */
export function tidyRegularly(store: Store, options: TidyOptions, warn: (text: string) => void): () => void {
  const timer = setInterval(() => {
    tidy(store, options).catch((error: unknown) => warn(`not cleaned up: ${errorMessage(error)}`))
  }, CHECK_MS)
  return () => clearInterval(timer)
}
