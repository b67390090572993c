/** Descriptions of the routes that are not operations: batch, table, and health. */
import { OPERATIONS } from '../../operations/registry.ts'
import { EXAMPLES } from './openapi-examples.ts'
import { failure, json, queryParameters, refusals } from './openapi-parts.ts'
import { answerName, describedAll, type Json, reference } from './openapi-schemas.ts'
import { TABLE_QUERY } from '../table/table-query.ts'

/** Schemas of a batch line and its answer. */
export const BATCH_SCHEMAS: Json = {
  BatchLine: {
    oneOf: OPERATIONS.map(({ name, input }) => ({
      type: 'object',
      title: name,
      properties: { op: { type: 'string', enum: [name] }, ...describedAll(input.properties) },
      required: ['op', ...(input.required ?? [])],
    })),
  },
  BatchFailure: { type: 'object', properties: { error: reference('Error') }, required: ['error'] },
  BatchAnswer: {
    anyOf: [...OPERATIONS.map((operation) => reference(answerName(operation))), reference('BatchFailure')],
    description: 'the output of the operation, or what is wrong with the line',
  },
}

function lines(of: string, example: string): Json {
  // OpenAPI 3.2 has itemSchema for this; 3.1 supports only the text
  const schema = { type: 'string', description: `one ${of} a line`, 'x-itemSchema': reference(of) }
  return { 'application/jsonl': { schema, example } }
}

const EXAMPLE = EXAMPLES.get('ard')

export const BATCH: Json = {
  operationId: 'batch',
  tags: ['many'],
  summary: 'Answers many requests at once: one JSON object a line, one answer a line, in the same order',
  requestBody: {
    required: true,
    content: lines('BatchLine', `${JSON.stringify({ op: 'ard', ...EXAMPLE?.input })}\n`),
  },
  responses: {
    200: {
      description: 'an answer for each line',
      content: lines('BatchAnswer', `${JSON.stringify(EXAMPLE?.output)}\n`),
    },
    ...refusals(false),
  },
}

const COUNTS = { type: 'object', additionalProperties: { type: 'integer' } }
const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }

export const TABLE_SCHEMAS: Json = {
  TableFailure: {
    type: 'object',
    properties: {
      row: { ...NUMBER, description: 'row number from 1, not counting the header' },
      line: { ...NUMBER, description: 'line of the file, from 1' },
      id: TEXT, column: TEXT, locus: TEXT, value: TEXT, code: TEXT, message: TEXT, suggestion: TEXT,
      path: { ...TEXT, description: 'path in the document' },
    }, // prettier-ignore
    required: ['row', 'line', 'id', 'column', 'locus', 'value', 'code', 'message', 'suggestion'],
  },
  FailedValue: {
    type: 'object',
    properties: {
      value: { ...TEXT, description: 'text of the cells; empty for a failure of whole rows' },
      locus: TEXT, code: TEXT,
      message: { ...TEXT, description: 'that of the first cell' },
      hint: { ...TEXT, description: 'empty without one' },
      replacements: { type: 'array', items: TEXT, description: 'cells that could replace it; check each' },
      cells: { ...NUMBER, description: 'number of cells' },
      columns: { type: 'array', items: TEXT },
      lines: { type: 'array', items: NUMBER, description: 'lines of the first cells' },
    }, // prettier-ignore
    required: ['value', 'locus', 'code', 'message', 'hint', 'replacements', 'cells', 'columns', 'lines'],
  },
  TableColumn: {
    type: 'object',
    properties: {
      name: TEXT,
      read: { ...TEXT, enum: ['typing', 'id', 'no'], description: 'what the column was read as' },
      locus: { ...TEXT, description: 'locus of the typings; empty where each cell names its locus' },
      reading: { ...TEXT, description: 'how its typings are written' },
      examples: { type: 'array', items: TEXT, description: 'typings of the locus, and how they are read' },
      why: { ...TEXT, description: 'reason why a column that looks like typings is not read' },
    },
    required: ['name', 'read', 'locus'],
  },
  TablePlanLine: {
    type: 'object',
    properties: { name: { ...TEXT, description: 'empty if the line continues the one above' }, text: TEXT },
    required: ['name', 'text'],
  },
  TableNote: { type: 'object', properties: { code: TEXT, message: TEXT }, required: ['code', 'message'] },
  TableSummary: {
    type: 'object',
    properties: {
      name: { ...TEXT, description: 'file name of the converted table' },
      rows: NUMBER,
      typings: NUMBER,
      distinct: { type: ['integer', 'null'], description: 'null: too many to count' },
      status: { ...COUNTS, description: 'number of typings by outcome' },
      codes: { ...COUNTS, description: 'failures by code' },
      notes: { ...COUNTS, description: 'notes by code' },
      text: { ...TEXT, description: 'the same as readable text' },
      said: { type: 'array', items: reference('TableNote') },
      failed: NUMBER,
      reported: { ...NUMBER, description: 'number of failures in the part "errors"' },
      failures: { type: 'array', items: reference('TableFailure'), description: 'the first failures' },
      values: { type: 'array', items: reference('FailedValue'), description: 'failed cells grouped by value: the first 100 values' },
      columns: { type: 'array', items: reference('TableColumn'), description: 'columns of the table that was read' },
      plan: {
        type: 'array',
        items: reference('TablePlanLine'),
        description: 'how the table was read, without its columns',
      },
    },
    required: ['name', 'rows', 'typings', 'distinct', 'status', 'codes', 'notes', 'text', 'said', 'failed', 'reported', 'failures', 'values', 'columns', 'plan'],
  }, // prettier-ignore
}

export const TABLE: Json = {
  operationId: 'table',
  tags: ['many'],
  summary:
    'Converts the table in the body: a text table, a workbook, an HML message, a donor file or a file of a typing program, also gzipped',
  parameters: queryParameters(TABLE_QUERY),
  requestBody: {
    required: true,
    content: {
      'application/octet-stream': {
        schema: { type: 'string', format: 'binary' },
        example: 'id,A_1,A_2\n1,01:01,02:AB\n',
      },
    },
  },
  responses: {
    200: {
      description: 'multipart; the last part is the summary, or the error that left the table incomplete',
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              plan: { type: 'string', description: 'how the table was read' },
              table: { type: 'string', format: 'binary' },
              errors: {
                type: 'string',
                format: 'binary',
                description: 'CSV of the cells and persons that failed',
              },
              summary: reference('TableSummary'),
              error: reference('Error'),
            },
            required: ['plan', 'table'],
          },
        },
      },
    },
    400: failure('not a table, or its typing columns could not be found'),
    ...refusals(true),
    503: failure('other tables are being converted', 'Retry-After'),
  },
}

const OPEN = { tags: ['state'], security: [] }
const READY = { type: 'object', properties: { status: TEXT, data: TEXT }, required: ['status', 'data'] }
const DRAINING = {
  type: 'object',
  properties: { status: TEXT, message: TEXT },
  required: ['status', 'message'],
}
const HEALTH = { type: 'object', properties: { status: TEXT }, required: ['status'] }

/** Path -> description. */
export const STATE: Json = {
  '/healthz': {
    get: {
      ...OPEN,
      operationId: 'healthz',
      summary: 'Returns 200 while the process is alive',
      responses: { 200: { description: 'the process is alive', content: json(HEALTH, { status: 'ok' }) } },
    },
  },
  '/readyz': {
    get: {
      ...OPEN,
      operationId: 'readyz',
      summary: 'Returns 200 while the service takes requests, and 503 while it shuts down',
      responses: {
        200: { description: 'ready', content: json(READY, { status: 'ready', data: '3.58.0+starter' }) },
        503: { description: 'not ready: the service is shutting down', content: json(DRAINING) },
      },
    },
  },
  '/metrics': {
    get: {
      tags: ['state'],
      operationId: 'metrics',
      summary: 'Returns counts and times, in the text format of Prometheus',
      responses: {
        200: {
          description: 'metrics of all processes of the service',
          content: {
            'text/plain': { schema: { type: 'string' }, example: 'hla_connections{worker="0"} 1\n' },
          },
        },
        ...refusals(false),
      },
    },
  },
}
