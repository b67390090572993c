/** CellFace: conversion of table cells by an operation. Types only. */
import type { OperationRequest } from './operation-request.ts'
import type { HlaError, Note } from '../errors.ts'

/** Genotypes, each with its typings. Names are separated by "/". */
export type Copies = readonly (readonly {
  readonly names: string
  readonly expressed: string
  readonly nulls: string
}[])[]

/** Result of converting a cell. */
export interface CellOutcome {
  /** One text per column, in the order of `columns`; surplus ones are dropped. */
  readonly results: readonly string[]
  /** Possible alleles of each copy of each possible genotype; undefined unless requested. */
  readonly copies?: Copies | undefined
  /** Kind in the summary: `valid`, `renamed`; undefined counts as ok or failed. */
  readonly kind?: string
  /** Set for a negative answer: it is reported as a failure, but its results are written. */
  readonly fault?: HlaError
}

export interface CellFace<I = never, O = never> {
  /** Names of the result columns of a typing. */
  readonly columns: readonly string[] | ((input: I) => readonly string[])
  /** Optional further columns, after the others; undefined for none. */
  readonly detailColumns?: readonly string[] | ((input: I) => readonly string[])
  /** Notes include code members that have another name in the release. */
  readonly notesMembers?: boolean
  readonly outcome: (output: O, input: I) => CellOutcome
  /** Outcome of an invalid or unanswered typing; undefined for a failure without results. */
  readonly failed?: (error: HlaError, input: I) => CellOutcome | undefined
  /** Request to make instead when the operation does not apply to the typing; `outcome` receives its output. */
  readonly instead?: (input: I) => OperationRequest | undefined
  /** All kinds in summary order; undefined for no counts by kind. */
  readonly kinds?: readonly string[]
  /** Results are typings, so they may replace their source and be joined to GL Strings. */
  readonly areTypings: boolean
  /** True for an input whose results are not typings although others of the operation are. */
  readonly isAboutTypings?: (input: I) => boolean
  /** True when typings of a row are also checked for belonging to one person. */
  readonly checksPersons?: (input: I) => boolean
  /** Results with a warning of that check. */
  readonly warned?: (results: readonly string[], warning: Note, input: I) => readonly string[]
  /** The answer for a GL String is composed of those for its typings. */
  readonly isByTyping?: boolean
}
