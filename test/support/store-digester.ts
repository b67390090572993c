/** The script of a digest thread. */
import { serveDigests } from '../../src/storage/store/digest-thread.ts'

await serveDigests()
