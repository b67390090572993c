/** Schema of the engine's switches in inputs of operations. */
import { ANTIGEN_LEVELS, DESIGNATION_KINDS } from '../engine/options.ts'
import type { Property } from './schema.ts'

export const ANTIGENS_PROPERTY = {
  type: 'string',
  enum: ANTIGEN_LEVELS,
  description:
    'level of the antigens of method S: associated (A2403), split (A24) or broad (A9); usual (default): as before April 2026, splits with their broad antigens (A9/A24)',
} as const satisfies Property

export const OPTIONS_SCHEMA = {
  type: 'object',
  description: 'options of the reduction; unknown ones are refused',
  properties: {
    strict: {
      type: 'boolean',
      description: 'validate names, and do not add missing expression letters (default true)',
    },
    ping: {
      type: 'boolean',
      description: 'use the P group of alleles that are in no G group (default true)',
    },
    ars: { type: 'boolean', description: 'mark lg names with ARS instead of g' },
    exact: { type: 'boolean', description: 'refuse names that the release does not list' },
    consistentLg: { type: 'boolean', description: 'make lg always equal to lgx plus g' },
    members: { type: 'boolean', description: 'reduce a group to its members with method W' },
    ownAntigens: {
      type: 'boolean',
      description:
        'with method S, reduce a two-field name to the antigens of its own alleles, not to those of all alleles with its lgx name',
    },
    antigens: ANTIGENS_PROPERTY,
    keep: {
      type: 'array',
      items: { type: 'string', enum: DESIGNATION_KINDS },
      description: 'kinds of names that are returned unchanged',
    },
    off: {
      type: 'array',
      items: { type: 'string', enum: DESIGNATION_KINDS },
      description: 'kinds of names that are refused',
    },
    ignoredSuffixes: {
      type: 'array',
      items: { type: 'string' },
      description: 'names with this after the "*" are returned unchanged, such as NNNN',
    },
    limit: {
      type: 'integer',
      minimum: 0,
      description: 'largest number of names in one input or answer; 0 means no limit',
    },
  },
  additionalProperties: false,
} as const satisfies Property
