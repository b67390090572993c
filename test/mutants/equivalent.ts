/** Random faults that no test can notice, each with the reason. `npm run mutants -- --random` skips them. */

interface Equivalent {
  readonly file: string
  /** The line where the fault begins, trimmed. */
  readonly text: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/cli/options/remote-options.ts',
    text: "const [, name, value = ''] = /^(.*?)=(.+)/s.exec(item) ?? []",
    from: '/^(.*?)=(.+)/s',
    to: '/(.*?)=(.+)/s',
    reason: 'it only takes longer for a text without the sign',
  },
  {
    file: 'src/options/table-values.ts',
    text: "const [, name = '', columns = ''] = /^(.*?)=(.+)/s.exec(item) ?? []",
    from: '/^(.*?)=(.+)/s',
    to: '/(.*?)=(.+)/s',
    reason: 'it only takes longer for a text without the sign',
  },
  {
    file: 'src/drive/commands/administration/as-operator.ts',
    text: "const filled = pattern.replaceAll(/:\\w+/g, () => encodeURIComponent(words.shift() ?? ''))",
    from: '/:\\w+/g',
    to: '/:\\w*/g',
    reason: 'every parameter of a path has a name',
  },
  {
    file: 'src/drive/rules/run-rules.ts',
    text: 'const CHANGES_ROWS = 5000',
    from: '5000',
    to: '10000',
    reason: 'the changes after a piece are the next piece',
  },
  {
    file: 'src/drive/delivery/deliverer.ts',
    text: 'const delay = Math.min(MIN_DELAY_MS * 2 ** Math.min(attempts, 20), MAX_DELAY_MS)',
    from: '20',
    to: '40',
    reason: 'from the tenth attempt on the delay is the longest',
  },
  {
    file: 'src/drive/delivery/deliverer.ts',
    text: 'return Math.round(delay * (0.75 + Math.random() / 4))',
    from: '4',
    to: '5',
    reason: 'the delay is by chance, and stays within its bounds',
  },
  {
    file: 'src/service/page/typing/typing.ts',
    text: 'const turn = (latest += 1)',
    from: '1',
    to: '2',
    reason: 'a turn differs from the one before, whatever its number',
  },
  {
    file: 'src/drive/protocol/q/q-fields.ts',
    text: "throw invalidQuery('no such character', [at, at + 1])",
    from: '+',
    to: '-',
    reason: 'only where it begins is told',
  },
  {
    file: 'src/io/sink.ts',
    text: 'isEmpty = false',
    from: 'false',
    to: 'true',
    reason: 'a member of nothing more at the end is unpacked to nothing',
  },
  {
    file: 'src/drive/delivery/deliverer.ts',
    text: 'await Promise.all([...agents.values()].map((agent) => agent.destroy()))',
    from: 'await ',
    to: 'void ',
    reason: 'the service ends then: nothing is sent by these connections any more',
  },
  {
    file: 'src/service/options.ts',
    text: 'log: { stream: undefined, access: false, inputs: false },',
    from: 'false',
    to: 'true',
    reason: 'without a stream nothing is written, and whoever gives one says the rest',
  },
  {
    file: 'src/drive/api/lists/lister.ts',
    text: "process.on('disconnect', () => process.exit())",
    from: "process.on('disconnect', () => process.exit())",
    to: "void [process.on, 'disconnect', () => process.exit()]",
    reason: 'the channel alone keeps the process running: without it Node ends the process',
  },
  {
    file: 'src/drive/api/operations/files.ts',
    text: 'isViewed: parameters.updateViewedDate ?? true,',
    from: 'true',
    to: 'false',
    reason: 'the table of parameters gives the default: it is never left out here',
  },
  {
    file: 'src/operations/answers/lifting.ts',
    text: 'return ([start, end]) => [placed(start, false), placed(end, true)]',
    from: 'true',
    to: 'false',
    reason: 'what is said of a leaf that was read otherwise goes to its end',
  },
  {
    file: 'src/cli/run/table/pyard/pyard-config.ts',
    text: "return columns.map((column) => (/^\\d+$/.test(column) ? `=${column}` : column)).join(',')",
    from: '/^\\d+$/',
    to: '/^\\d*$/',
    reason: 'an empty name is refused above',
  },
  {
    file: 'src/io/packing/binary-content.ts',
    text: 'const ASCII_TEXT = /^(?!BZh|%PDF)[\\t\\n\\r -~]*$/',
    from: '/^(?!BZh|%PDF)[\\t\\n\\r -~]*$/',
    to: '/^(?!BZh|%PDF)[\\t\\n\\r -~]+$/',
    reason: 'an empty text is no other format',
  },
  {
    file: 'src/drive/protocol/answers/fields.ts',
    text: 'matchAt(scanner, /(\\s*)/y)',
    from: '/(\\s*)/y',
    to: '/(\\s+)/y',
    reason: 'where no blank is nothing is skipped',
  },
  {
    file: 'src/drive/api/requests/authenticate.ts',
    text: 'const BEARER = /^Bearer +(\\S+)$/i',
    from: '/^Bearer +(\\S+)$/i',
    to: '/^Bearer +(\\S*)$/i',
    reason: 'an empty token is as unknown as none that can be read',
  },
  {
    file: 'src/drive/api/dispatch.ts',
    text: "const url = `/drive/v2/${method.path.replaceAll(/\\{(\\w+)\\}/g, ':$1')}`",
    from: '/\\{(\\w+)\\}/g',
    to: '/\\{(\\w*)\\}/g',
    reason: 'every parameter of a path has a name',
  },
  {
    file: 'src/drive/persistence/contents/bucket/bucket-address.ts',
    text: "const [, bucket = '', path = ''] = /^s3:\\/\\/([^/]*)\\/?(.*)$/.exec(contents) ?? []",
    from: '/^s3:\\/\\/([^/]*)\\/?(.*)$/',
    to: '/^s3:\\/\\/([^/]+)\\/?(.*)$/',
    reason: 'an empty name is no bucket',
  },
  {
    file: 'src/drive/persistence/contents/bucket/bucket-place.ts',
    text: "const said = /<Code>([^<]*)<\\/Code>/.exec(text)?.[1] ?? ''",
    from: '/<Code>([^<]*)<\\/Code>/',
    to: '/<Code>([^<]+)<\\/Code>/',
    reason: 'an empty code is told as none',
  },
  {
    file: 'src/drive/persistence/database/sqlite.ts',
    text: "return /^[\\w@%+=:,./\\\\-]+$/.test(path) ? path : `'${path.replaceAll(\"'\", `'\\\\''`)}'`",
    from: '/^[\\w@%+=:,./\\\\-]+$/',
    to: '/^[\\w@%+=:,./\\\\-]*$/',
    reason: 'a path is never empty',
  },
  {
    file: 'src/table/words/typing-shape.ts',
    text: 'const DECIMAL = /^-?\\d+\\.\\d+$/',
    from: '/^-?\\d+\\.\\d+$/',
    to: '/-?\\d+\\.\\d+$/',
    reason: 'a faster way to the same kind',
  },
  {
    file: 'src/table/words/typing-shape.ts',
    text: 'const DECIMAL = /^-?\\d+\\.\\d+$/',
    from: '/^-?\\d+\\.\\d+$/',
    to: '/^-?\\d+\\.\\d+/',
    reason: 'a faster way to the same kind',
  },
  {
    file: 'src/table/words/typing-shape.ts',
    text: 'const DECIMAL = /^-?\\d+\\.\\d+$/',
    from: '/^-?\\d+\\.\\d+$/',
    to: '/^-?\\d*\\.\\d+$/',
    reason: 'a faster way to the same kind',
  },
  {
    file: 'src/nomenclature/programs.ts',
    text: 'const BEGINS = /^\\s*[A-H]/i',
    from: '/^\\s*[A-H]/i',
    to: '/\\s*[A-H]/i',
    reason: 'it spares compiling patterns that match from the beginning only',
  },
  {
    file: 'src/table/words/phenotype.ts',
    text: 'const antigen = isAntigen && /^\\d+$/.test(typing) ? nameAntigen(typing, locus) : undefined',
    from: '/^\\d+$/',
    to: '/^\\d*$/',
    reason: 'an empty typing is passed over before',
  },
]
