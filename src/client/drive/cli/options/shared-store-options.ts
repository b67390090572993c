/** Options that say where a store of several servers is. */
import { Option } from 'commander'
import { duration } from '../../../../cli/options/quantities.ts'

export function databaseOption(meaning: string): Option {
  return new Option('--database <url>', meaning).env('HLA_DRIVE_DATABASE')
}

export function contentsOption(meaning: string): Option {
  return new Option('--contents <place>', meaning).env('HLA_DRIVE_CONTENTS')
}

export function awayOption(): Option {
  return new Option(
    '--read-while-away <time>',
    'with --database: while it is out of reach, read for so long what was last known, with its age in each answer; 0s: nothing is answered',
  )
    .argParser(duration)
    .default(0, '0s')
}

export function copyOptions(): Option[] {
  return [
    new Option(
      '--from <store>',
      'a folder, or a database (postgres://…); nobody uses it meanwhile',
    ).makeOptionMandatory(),
    new Option(
      '--to <store>',
      'the other of the two, empty, or a copy that was cut off',
    ).makeOptionMandatory(),
    contentsOption('where servers of the database have the contents'),
    new Option('--json', 'print JSON'),
  ]
}
