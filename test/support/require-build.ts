/** Runs before each file of the `system` project. */
import { staleBuild } from './fresh-build.ts'

const reason = process.env['HLA_TEST_PROGRAM'] === undefined ? staleBuild() : ''
if (reason !== '') throw new Error(reason)
