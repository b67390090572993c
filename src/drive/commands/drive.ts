/** `hla drive …`: the commands of the file store, the daily ones first. */
import { type CommandSpec, late } from '../../cli/options/declare-command.ts'
import { ADMINISTRATOR_COMMANDS } from './administrator-commands.ts'
import { FILE_COMMANDS } from './file-commands.ts'
import { command } from './store-command.ts'
import { BACKUP, COLLECTION, FSCK, RESTORATION, STORE } from './options/administrator-options.ts'
import { SERVE } from './options/serve-options.ts'

const care = () => import('./administration/care.ts')

/** They run a store and care for it. */
const SERVICE_COMMANDS: readonly CommandSpec[] = [
  command('serve', 'run the file storage service', SERVE, late(() => import('../serve/serve.ts'), 'serveDrive'), [
    'serve',
    'serve --data lab --port 8090 --owner ada@lab.example',
    'serve --public-url https://lab.example --access-log off',
  ]),
  command('status', 'print how much the store holds', STORE, late(care, 'statusCommand'), ['status', 'status --data lab']),
  command('backup <folder>', 'back up the store, even while it is in use', BACKUP, late(care, 'backupCommand'), [
    'backup monday',
  ]),
  command('restore <backup>', 'restore a store from a backup', RESTORATION, late(care, 'restoreCommand'), [
    'restore --data mended monday',
  ]),
  command('fsck', 'check the store, and repair it', FSCK, late(care, 'fsckCommand'), [
    'fsck',
    'fsck --data mended --deep',
  ]),
  command('gc', 'delete contents that no file uses any more', COLLECTION, late(care, 'gcCommand'), [
    'gc',
    'gc --grace 168h',
  ]),
] // prettier-ignore

export const DRIVE = {
  usage: 'drive',
  commands: [...FILE_COMMANDS, ...SERVICE_COMMANDS, ...ADMINISTRATOR_COMMANDS],
}
