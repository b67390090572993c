/** Script of a digest thread. */
import { serveDigests } from '../../src/drive/persistence/contents/digest-threads.ts'

await serveDigests()
