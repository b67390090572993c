/** The file port of one conversion by a rule: its output, report and provenance, each found by its mark.  [network] */
import { trashFile } from '../../files.ts'
import type { DriveFile } from '../../resource.ts'
import { openStoredSink } from '../files/stored-sink.ts'
import type { FilePort } from '../../../../io/file-port.ts'
import type { Ending } from './marks.ts'
import { notingId } from './claims.ts'
import { findMade, targetFor } from './made-files.ts'
import type { FolderRule } from './folder-rule.ts'

export interface RuleOutput {
  /** Of the output; its report and its provenance have names that go on from it. */
  readonly name: string
  /** What there is of it already. */
  readonly there: DriveFile | undefined
  readonly done: string
}

export function ruleFilePort(folderRule: FolderRule, source: DriveFile, output: RuleOutput): FilePort {
  const { drive } = folderRule
  const endingOf = (file: string): Ending => {
    const ending = file.slice(output.name.length)
    if (file.startsWith(output.name) && (ending === '' || ending === '.errors.csv' || ending === '.hla.json'))
      return ending
    throw new Error(`a rule does not write ${file}`)
  }
  return {
    source() {
      throw new Error('a rule opens its sources itself')
    },
    async sink(file, options) {
      const ending = endingOf(file)
      const isOutput = ending === ''
      const there = isOutput ? output.there : await findMade(folderRule, source.id, ending)
      const done = isOutput ? { done: output.done } : {}
      const target = await targetFor(folderRule, source, there, { ending, ...done })
      const isNew = target.kind === 'new'
      const noting = <Result>(step: () => Promise<Result> | Result) =>
        notingId(folderRule.claims, isNew ? target.id : undefined, step)
      const title = isNew ? target.title : file
      const sink = await noting(() => openStoredSink(drive, { name: file, title, target }, options))
      return {
        ...sink,
        complete: () => noting(() => sink.complete()),
        finish: () => noting(() => sink.finish()),
      }
    },
    isRemote: () => true,
    beside: (file) => file,
    async removeOwn(file) {
      const there = await findMade(folderRule, source.id, endingOf(file))
      if (there !== undefined && !there.isTrashed) await trashFile(drive.connection, there.id)
    },
    close: () => Promise.resolve(),
  }
}
