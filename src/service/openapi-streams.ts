/** The description of the two routes that are no operations: many questions, and a table. */
import { ERROR_REF, type Json, json, queryParameters } from './openapi-parts.ts'
import { TABLE_QUERY } from './table-query.ts'

export const BATCH: Json = {
  operationId: 'batch',
  summary: 'Many requests: JSON Lines both ways, an answer for each line in its order',
  requestBody: {
    required: true,
    content: {
      'application/jsonl': {
        schema: { type: 'string', description: '{"op":"redux", and the properties of the operation}' },
      },
    },
  },
  responses: {
    200: {
      description: 'the output of each operation, or {"error":{…}}',
      content: { 'application/jsonl': { schema: { type: 'string' } } },
    },
  },
}

export const TABLE: Json = {
  operationId: 'table',
  summary: 'Convert a table of typings; a text table of any dialect, also gzipped',
  parameters: queryParameters(TABLE_QUERY),
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: {
    200: {
      description: 'in parts; the last is the summary, or the error that left the table incomplete',
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              plan: { type: 'string', description: 'how the table was read' },
              table: { type: 'string', format: 'binary' },
              errors: { type: 'string', format: 'binary', description: 'CSV of the cells that failed' },
              summary: { type: 'object' },
              error: ERROR_REF,
            },
            required: ['plan', 'table'],
          },
        },
      },
    },
    400: { description: 'no table, or nobody can say where its typings are', content: json(ERROR_REF) },
    413: { description: 'longer than the service converts', content: json(ERROR_REF) },
    503: { description: 'other tables are being converted', content: json(ERROR_REF) },
  },
}
