/** Commands that run a store and care for it. */
import { type CommandSpec, late } from '../../cli/options/declare-command.ts'
import { duration } from '../../cli/options/parsers.ts'
import { command } from './store-command.ts'
import { JSON_OUTPUT } from './options/file-options.ts'
import { DATA, DAY_MS, SERVE } from './options/serve-options.ts'

const FSCK = [
  DATA,
  { name: 'deep', help: 'read every byte of the contents' },
  { name: 'repair', help: 'repair what can be repaired; stop the service first' },
  { name: 'from', value: 'backup', help: 'with --repair: restore lost contents from this backup' },
  JSON_OUTPUT,
] as const
const RESTORATION = [
  DATA,
  { name: 'contents', value: 'bucket', help: 'empty bucket for the contents of the new store: s3://bucket/prefix' },
] as const // prettier-ignore
const COLLECTION = [
  DATA,
  { name: 'grace', value: 'time', reading: duration, help: 'keep contents younger than this; at least 1h while a service runs', default: DAY_MS, defaultText: '24h' },
  JSON_OUTPUT,
] as const // prettier-ignore

const care = () => import('./administration/care.ts')

export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  command('serve', 'run the file storage service', SERVE, late(() => import('../serve/serve.ts'), 'serveDrive'), [
    'serve',
    'serve --data lab --port 8090 --owner ada@lab.example',
    'serve --public-url https://lab.example --access-log off',
  ]),
  command('status', 'print how much the store holds', [DATA, JSON_OUTPUT], late(care, 'statusCommand'), ['status', 'status --data lab']),
  command('backup <folder>', 'back up the store, even while it is in use', [DATA, { name: 'copy', help: 'copy contents instead of linking to the same file' }], late(care, 'backupCommand'), [
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
