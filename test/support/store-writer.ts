/** The writer thread of tests of the store; bundled before it is started. */
import { serveWrites } from '../../src/drive/persistence/writer/writer-thread.ts'
import { STORE_COMMANDS } from './store-commands.ts'

await serveWrites(STORE_COMMANDS, ({ command }) => command === 'remove' || command === 'sql')
