/** Runs around each file: its servers end, and its folders go. */
import { afterAll } from 'vitest'
import { endFile } from './end-of-file.ts'

// registered first, so it runs last
afterAll(endFile)
