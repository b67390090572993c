/** The options of `hla drive rule`. */
import { Option } from 'commander'
import type { DriveFlags } from './drive-connection-options.ts'

export interface RuleOptions extends DriveFlags {
  readonly to?: string
  readonly method?: string
  /** That of `-r`, whose name is taken by what answers here. */
  readonly ruleRelease?: string
  readonly name?: string
  readonly match?: string
  readonly existing?: boolean
  readonly recursive?: boolean
  readonly json?: boolean
}

export function ruleOptions(): Option[] {
  return [
    new Option('-m, --method <name>', 'what typings are reduced to (default lgx)'),
    new Option(
      '--rule-release <release>',
      'by which release (default: the one that is active on the server)',
    ),
    new Option('--to <folder>', 'where the results go (default: beside the tables)'),
    new Option('--name <template>', 'names of the results (default {stem}.lgx{suffix}, with the method)'),
    new Option('--match <glob>', 'only files with such a name (default: tables, and what holds typings)'),
    new Option('--existing', 'also what is in the folder already'),
    new Option('-R, --recursive', 'also in the folders below; each result goes beside its table'),
  ]
}
