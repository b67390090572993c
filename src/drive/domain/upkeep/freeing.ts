/** Which commands run while the disk is full: they free space or end access, or let somebody sign in to do so.  [disk] */
import type { CommandRequest } from '../../persistence/database/database.ts'
import type { Administering } from '../administration/administer.ts'
import { type CommandName, OPERATOR, command } from '../commands.ts'
import type { UpdateFile } from '../files/update-file.ts'
import type { Keeping } from './purge-step.ts'
import { errorMessage } from '../../../errors.ts'
import { type GarbageReport, USUAL_GRACE, collectGarbage } from '../../persistence/upkeep/collect-garbage.ts'
import type { Store } from '../../persistence/store.ts'
import { purgeAll } from './purge.ts'
import { uploadLife } from '../uploads/upload-sessions.ts'

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

/** ms */
const OFTEN = 3_600_000

interface TidyOptions {
  /** As in `GarbageOptions`. */
  readonly isAlone?: boolean
  /** ms: what is younger may be of a request under way. */
  readonly grace?: number | undefined
  /** What it does not name stays. */
  readonly keeping?: Keeping
}

export function tidy(
  store: Store,
  { grace = USUAL_GRACE, keeping, isAlone = false }: TidyOptions = {},
): Promise<GarbageReport> {
  const purge = () => purgeAll((step) => command(store, 'purge', OPERATOR, { ...step, ...keeping }))
  return collectGarbage(store, { grace, isAlone, uploadLife: uploadLife(store.read), purge })
}

/** Every hour; what stands in the way of one time does not in that of the next. @returns what ends it */
export function tidyRegularly(store: Store, options: TidyOptions, warn: (text: string) => void): () => void {
  const timer = setInterval(() => {
    // one server does it for all
    if (store.sharing?.isLeader() === false) return
    tidy(store, options).catch((error: unknown) => warn(`not tidied up: ${errorMessage(error)}`))
  }, OFTEN)
  return () => clearInterval(timer)
}
