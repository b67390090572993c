/**
 * The order of a run: the files that take longest first, so that none is left for a single process at the end. Unlisted
 * files precede them: most are quick, and a new one may be slow.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readSlowFiles } from './cut.ts'

const ROOT = new URL('../..', import.meta.url).pathname

const UNLISTED = 1e9

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seconds } = readSlowFiles()
    const took = ({ moduleId }: TestSpecification) => seconds[relative(ROOT, moduleId)] ?? UNLISTED
    return files.toSorted((one, other) => took(other) - took(one))
  }
}
