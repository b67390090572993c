/** The engine's switches, as the inputs of operations carry them. */
import { DESIGNATION_KINDS } from '../engine/options.ts'
import type { Property } from './schema.ts'

export const OPTIONS_SCHEMA = {
  type: 'object',
  description: 'switches of the engine; unknown ones are refused',
  properties: {
    strict: { type: 'boolean', description: 'validate names and add no missing letter (default true)' },
    ping: {
      type: 'boolean',
      description: 'rescue alleles outside every G group through their P group (default true)',
    },
    ars: { type: 'boolean', description: 'lg writes ARS instead of g' },
    exact: { type: 'boolean', description: 'third and fourth fields must exist too' },
    consistentLg: { type: 'boolean', description: 'lg is lgx with a letter everywhere' },
    members: { type: 'boolean', description: 'W of a group is its members' },
    keep: {
      type: 'array',
      items: { type: 'string', enum: DESIGNATION_KINDS },
      description: 'kinds that come back as typed',
    },
    off: {
      type: 'array',
      items: { type: 'string', enum: DESIGNATION_KINDS },
      description: 'kinds that are not understood',
    },
    ignoredSuffixes: {
      type: 'array',
      items: { type: 'string' },
      description: 'right-hand sides such as NNNN',
    },
    limit: { type: 'integer', minimum: 0, description: 'most names in an input or answer; 0 is no limit' },
  },
  additionalProperties: false,
} as const satisfies Property
