/** THE LIST of operations. */
import { HlaError } from '../errors.ts'
import { ardOperation } from './questions/ard.ts'
import { blendOperation } from './questions/blend.ts'
import { countOperation } from './questions/count.ts'
import { cwdOperation } from './questions/cwd.ts'
import { diffOperation } from './questions/diff.ts'
import { explainOperation } from './questions/explain.ts'
import { liftOperation } from './questions/lift.ts'
import { macOperation } from './questions/mac.ts'
import { matchOperation } from './questions/match.ts'
import { type CellOperation, convertsCells, type Operation } from './operation.ts'
import { reduxOperation } from './questions/redux.ts'
import { similarOperation } from './questions/similar.ts'
import { splitsOperation } from './questions/splits.ts'
import { versionOperation } from './questions/version.ts'
import { validateOperation } from './questions/validate.ts'

/** Operations in the order of help. */
const BY_NAME = {
  redux: reduxOperation,
  ard: ardOperation,
  cwd: cwdOperation,
  validate: validateOperation,
  mac: macOperation,
  splits: splitsOperation,
  similar: similarOperation,
  blend: blendOperation,
  explain: explainOperation,
  lift: liftOperation,
  diff: diffOperation,
  match: matchOperation,
  count: countOperation,
  version: versionOperation,
}

/** Operations with their exact types, for TypeScript callers. */
export type NamedOperations = typeof BY_NAME

export const OPERATIONS: readonly Operation[] = Object.values(BY_NAME).map(
  // run and toText receive only values that passed the operation's own schema
  (operation) => operation as unknown as Operation,
)

/** @throws {HlaError} bad-request — an unknown operation */
export function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation !== undefined) return operation
  const known = OPERATIONS.map((one) => one.name).join(', ')
  throw new HlaError('bad-request', `unknown operation ${JSON.stringify(name)}; operations are ${known}`, {
    offending: name,
  })
}

/** @throws {HlaError} bad-request — an unknown operation, or one that does not convert tables */
export function cellOperationNamed(name: string): CellOperation {
  const operation = operationNamed(name)
  if (convertsCells(operation)) return operation
  const known = OPERATIONS.filter(convertsCells)
    .map((one) => one.name)
    .join(', ')
  throw new HlaError('bad-request', `${name} does not convert tables; operations that do are ${known}`, {
    offending: name,
  })
}
