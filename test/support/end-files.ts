/** Runs around each file: its servers end, its folders go, and its costs are noted. */
import { afterAll, expect } from 'vitest'
import { relative } from 'node:path'
import { noteCosts, watchCosts } from './costs.ts'
import { endFile } from './end-of-file.ts'

watchCosts()
// registered first, so it runs last
afterAll(async () => {
  await endFile()
  noteCosts(relative(process.cwd(), expect.getState().testPath ?? ''))
})
