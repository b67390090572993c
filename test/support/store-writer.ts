/** Writer thread for tests of the store; bundled before use. */
import { serveWrites } from '../../src/drive/persistence/writer/writer-thread.ts'
import { STORE_COMMANDS } from './store-commands.ts'

await serveWrites(STORE_COMMANDS, ({ command }) => command === 'remove' || command === 'sql')
