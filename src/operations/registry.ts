/** THE LIST of operations. */
import { HlaError } from '../errors.ts'
import { ardOperation } from './questions/ard.ts'
import { blendOperation } from './questions/blend.ts'
import { cwdOperation } from './questions/cwd.ts'
import { diffOperation } from './questions/diff.ts'
import { explainOperation } from './questions/explain.ts'
import { liftOperation } from './questions/lift.ts'
import { macOperation } from './questions/mac.ts'
import { type CellOperation, convertsCells, type Operation } from './operation.ts'
import { reduxOperation } from './questions/redux.ts'
import { similarOperation } from './questions/similar.ts'
import { splitsOperation } from './questions/splits.ts'
import { versionOperation } from './questions/version.ts'
import { validateOperation } from './questions/validate.ts'

/** In the order help shows them. */
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
  version: versionOperation,
}

/** The operations with their exact types, for whoever asks from TypeScript. */
export type NamedOperations = typeof BY_NAME

export const OPERATIONS: readonly Operation[] = Object.values(BY_NAME).map(
  // run and toText are only ever given what passed the operation's own schema
  (operation) => operation as unknown as Operation,
)

/** @throws {HlaError} bad-request — no such operation */
export function operationNamed(name: string): Operation {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation !== undefined) return operation
  const known = OPERATIONS.map((one) => one.name).join(', ')
  throw new HlaError('bad-request', `unknown operation ${JSON.stringify(name)}; operations are ${known}`, {
    offending: name,
  })
}

/** @throws {HlaError} bad-request — no such operation, or one that does not convert tables */
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
