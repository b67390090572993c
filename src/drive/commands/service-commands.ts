/** Commands that run a store and care for it. */
import { type CommandSpec, commandOf } from '../../cli/options/declare-command.ts'
import { duration } from '../../cli/options/parsers.ts'
import { drive } from './examples.ts'
import { JSON_OUTPUT } from './options/file-options.ts'
import { DATA, DAY_MS, SERVE } from './options/serve-options.ts'

const care = () => import('./administration/care.ts')

export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  commandOf({
    usage: 'serve',
    summary: 'run the file storage service',
    options: SERVE,
    examples: drive(
    'serve',
    'serve --data lab --port 8090 --owner ada@lab.example',
    'serve --public-url https://lab.example --access-log off',
  ),
    run: async (_, options) => (await import('../serve/serve.ts')).serveDrive(options),
  }),
  commandOf({
    usage: 'status',
    summary: 'print how much the store holds',
    options: [DATA, JSON_OUTPUT],
    examples: drive('status', 'status --data lab'),
    run: async (_, options) => (await care()).statusCommand(options),
  }),
  commandOf({
    usage: 'backup <folder>',
    summary: 'back up the store, even while it is in use',
    options: [DATA, { name: 'copy', help: 'copy contents instead of linking to the same file' }],
    examples: drive('backup monday'),
    run: async ([to = ''], options) => (await care()).backupCommand(to, options),
  }),
  commandOf({
    usage: 'restore <backup>',
    summary: 'restore a store from a backup',
    options: [
      DATA,
      { name: 'contents', value: 'bucket', help: 'empty bucket for the contents of the new store: s3://bucket/prefix' },
    ],
    examples: drive('restore --data mended monday'),
    run: async ([from = ''], options) => (await care()).restoreCommand(from, options),
  }),
  commandOf({
    usage: 'fsck',
    summary: 'check the store, and repair it',
    options: [
      DATA,
      { name: 'deep', help: 'read every byte of the contents' },
      { name: 'repair', help: 'repair what can be repaired; stop the service first' },
      { name: 'from', value: 'backup', help: 'with --repair: restore lost contents from this backup' },
      JSON_OUTPUT,
    ],
    examples: drive('fsck', 'fsck --data mended --deep'),
    run: async (_, options) => (await care()).fsckCommand(options),
  }),
  commandOf({
    usage: 'gc',
    summary: 'delete contents that no file uses any more',
    options: [
      DATA,
      { name: 'grace', value: 'time', reading: duration, help: 'keep contents younger than this; at least 1h while a service runs', default: DAY_MS, defaultText: '24h' },
      JSON_OUTPUT,
    ],
    examples: drive('gc', 'gc --grace 168h'),
    run: async (_, options) => (await care()).gcCommand(options),
  }),
] // prettier-ignore
