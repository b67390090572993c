/** The writer thread of tests of the store; bundled before it is started. */
import { serveWrites } from '../../src/storage/store/writer-thread.ts'
import { STORE_COMMANDS } from './store-commands.ts'

await serveWrites(STORE_COMMANDS)
