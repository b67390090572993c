/** `hla drive …`: the commands of the file store, the daily ones first. */
import { ADMINISTRATOR_COMMANDS } from './administrator-commands.ts'
import { FILE_COMMANDS } from './file-commands.ts'
import { SERVICE_COMMANDS } from './service-commands.ts'

export const DRIVE = {
  usage: 'drive',
  commands: [...FILE_COMMANDS, ...SERVICE_COMMANDS, ...ADMINISTRATOR_COMMANDS],
}
