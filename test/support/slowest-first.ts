/** The order of a run: the files that take longest first, so that none is left for a single process at the end. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readSlowFiles } from './cut.ts'

const ROOT = new URL('../..', import.meta.url).pathname

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seconds } = readSlowFiles()
    const took = ({ moduleId }: TestSpecification) => seconds[relative(ROOT, moduleId)] ?? 0
    return files.toSorted((one, other) => took(other) - took(one))
  }
}
