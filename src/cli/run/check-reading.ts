/** What is wrong with how typings are to be read, whatever they are: found before the first of them. */
import type { Knowledge } from '../../operations/knowledge.ts'
import { readWithOptions } from '../../operations/answers/lifting.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'

/** @throws {HlaError} unknown-release; no-data — the allele lists of other releases are not installed */
export function checkReading(asked: Parameters<typeof readWithOptions>[1], knowledge: Knowledge): void {
  if (asked.from !== undefined) parseReleaseNumber(asked.from)
  // the starter set refuses each typing by itself, as it does whatever else it cannot say
  if (knowledge.release.facts.dataset !== 'starter') readWithOptions(PROBE, asked, knowledge)
}

/** An allele of every release. */
const PROBE = 'A*01:01'
