/** Reduction of one name: asked once. Lists repeat theirs: a hundred thousand of them have ten thousand different names. */
import type { SortPart } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import { METHODS, type Method } from './methods.ts'
import { keepName, partList, type TypingMemo } from './typing-memo.ts'

export interface NameRun {
  readonly engine: Engine
  readonly method: Method
  readonly memo: TypingMemo
}

export function reduceName(name: string, { engine, method, memo }: NameRun): readonly SortPart[] {
  const known = memo.names.get(name)?.[memo.column]
  if (known !== undefined) return known
  const names = METHODS[method].reduce(name, engine)
  const [only] = names
  const reduced =
    only !== undefined && names.length === 1 ? partList(only) : names.map((one) => partList(one)[0])
  keepName(memo, name, reduced)
  return reduced
}
