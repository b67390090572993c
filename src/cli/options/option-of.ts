/** A row of the table of options, as commander declares it. */
import { Option } from 'commander'
import { messageText } from '../../advice.ts'
import { memberOf, OPTION_GROUPS, type OptionReading, type OptionRow } from '../../options/option-row.ts'
import { setBrief } from './brief.ts'
import { collect, columnList, commaList, wordList, wholeNumber } from './options.ts'

export function optionOf(row: OptionRow): Option {
  const { name, short, value, reading, choices, help, group, excludes = [], implies, old, brief } = row
  const flags = `${short === undefined ? '' : `-${short}, `}--${name}`
  const option = new Option(
    value === undefined ? flags : `${flags} ${value.startsWith('[') ? value : `<${value}>`}`,
    messageText(help, 'command-line'),
  )
  if (reading !== undefined) setParser(option, reading)
  if (choices !== undefined) option.choices(choices)
  const against = excludes.filter(({ values }) => values === undefined)
  if (against.length > 0) option.conflicts(against.map((one) => memberOf(one.option)))
  if (implies !== undefined) option.implies({ ...implies })
  if (old !== undefined) option.hideHelp()
  if (brief !== undefined) setBrief(option, brief)
  return option.helpGroup(OPTION_GROUPS[group])
}

function setParser(option: Option, reading: OptionReading): void {
  if (reading === 'each') option.argParser(collect)
  else if (reading === 'columns') option.argParser(columnList)
  else if (reading === 'words') option.argParser(wordList)
  else if (reading === 'list') option.argParser(commaList)
  else option.argParser(wholeNumber)
}
