/** Versions as answers carry them. */
import type { Knowledge } from '../knowledge.ts'

/** The service's `ipd_version`: 3.58.0 is 3580. */
export function ipdVersion({ release }: Knowledge): number {
  return Number(release.facts.compact)
}

/** `{ dataset: 'starter' }` for the starter set, nothing for a full release. */
export function describeDataset({ release }: Knowledge): { dataset?: 'starter' } {
  return release.facts.dataset === 'starter' ? { dataset: 'starter' } : {}
}

export const DATASET_SCHEMA = {
  type: 'string',
  enum: ['starter'],
  description: 'the built-in starter set answered',
} as const
