/** Input of a reduction, shared by `redux` and the operations that describe its result. */
import { DEFAULT_METHOD, METHOD_NAMES } from '../engine/reduce/methods.ts'
import { READING_PROPERTIES } from './answers/lifting.ts'
import { OPTIONS_SCHEMA } from './options-schema.ts'
import { object } from './schema.ts'

export const METHOD_SCHEMA = {
  type: 'string',
  enum: METHOD_NAMES,
  description: `reduction method (default ${DEFAULT_METHOD})`,
} as const

export const REDUCTION_INPUT = object(['gl_string'], {
  gl_string: { type: 'string', description: 'a GL String, allele, group, MAC, XX code or antigen' },
  reduction_method: METHOD_SCHEMA,
  options: OPTIONS_SCHEMA,
  ...READING_PROPERTIES,
})
