/** Reduction of one name: asked once. Lists repeat theirs: a hundred thousand of them have ten thousand different names. */
import type { SortPart } from '../../nomenclature/order.ts'
import type { Engine } from '../engine.ts'
import { METHODS, type Method } from './methods.ts'
import { keepName, partNamed, type TypingMemo } from './typing-memo.ts'

export interface NameRun {
  readonly engine: Engine
  readonly method: Method
  readonly memo: TypingMemo
}

export function reduceName(name: string, { engine, method, memo }: NameRun): readonly SortPart[] {
  const known = memo.names.get(name)
  if (known !== undefined) return known
  const reduced: SortPart[] = []
  for (const one of METHODS[method].reduce(name, engine)) reduced.push(partNamed(one, memo))
  keepName(memo, name, reduced)
  return reduced
}
