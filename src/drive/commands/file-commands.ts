/** Commands for the files of a store, the daily ones first. */
import { type CommandSpec, commandOf } from '../../cli/options/declare-command.ts'
import { drive, EXAMPLE_IDS } from './examples.ts'
import {
  CONNECTION,
  COPY,
  GET,
  JSON_OUTPUT,
  LINK_LIST,
  LIST,
  LOG,
  LOGIN,
  MAKE_FOLDER,
  PUT,
  REMOVE,
  RULE,
  SEARCH,
  SHARE,
  SYNC,
} from './options/file-options.ts'

const files = () => import('./files/commands.ts')

export const FILE_COMMANDS: readonly CommandSpec[] = [
  commandOf({
    usage: 'share <path>',
    summary: 'list and change the permissions of a file',
    options: [...SHARE, ...CONNECTION],
    examples: [
      [
        'hla drive share /registry/donors.csv --with ben@lab.example',
        `WHO              ROLE    INHERITED  LINK   EXPIRES
ben@lab.example  reader  false      false  -
owner@localhost  owner   false      false  -`,
      ],
      ...drive(
        'share /registry --with group:typing@lab.example --role writer',
        'share /registry/donors.csv --link --expires 168h --downloads 5',
        'share /registry/donors.csv',
        'share /registry/donors.csv --remove ben@lab.example',
      ),
    ],
    run: async ([path = ''], options) => (await files()).shareCommand(path, options),
  }),
  commandOf({
    usage: 'put <file...>',
    summary: 'store files; the last argument is the destination',
    options: [...PUT, ...CONNECTION],
    examples: drive(
      'put donors.csv /registry/',
      'put -p donors.csv patients.csv /studies/2026/',
      'put --convert donors.csv /registry/cohort',
    ),
    run: async (words, options) => (await files()).putCommand(words, options),
  }),
  commandOf({
    usage: 'get <path>',
    summary: 'fetch a file, or an older revision of it',
    options: [...GET, ...CONNECTION],
    examples: drive(
      'get /registry/donors.csv -o registry.csv',
      'get /registry/cohort --as xlsx -o cohort.xlsx',
      'get /registry/cohort --reduce lgx -o cohort.lgx.csv',
      `get /registry/donors.csv -o old.csv \\\n    --revision ${EXAMPLE_IDS.revision}`,
    ),
    run: async ([path = ''], options) => (await files()).getCommand(path, options),
  }),
  commandOf({
    usage: 'ls [path...]',
    summary: 'list the contents of folders in a store',
    options: [...LIST, ...CONNECTION],
    examples: [
      ['hla drive ls /registry', 'cohort\ndonors.csv'],
      ...drive('ls -l /registry', 'ls /registry --json'),
    ],
    run: async (paths, options) => (await files()).lsCommand(paths, options),
  }),
  commandOf({
    usage: 'rm <path...>',
    summary: 'put files into the trash, or remove them for ever',
    options: [...REMOVE, ...CONNECTION],
    examples: drive('rm /studies/2026/patients.csv', 'rm -R /studies/2026', 'rm -R --forever /studies'),
    run: async (paths, options) => (await files()).rmCommand(paths, options),
  }),
  commandOf({
    usage: 'mv <path...>',
    summary: 'move or rename files and folders; the last argument is the destination',
    options: CONNECTION,
    examples: drive(
      'put -p donors.csv /desk/draft.csv',
      'mv /desk/draft.csv /desk/final.csv',
      'mv /desk/final.csv /registry/',
    ),
    run: async (words, options) => (await files()).mvCommand(words, options),
  }),
  commandOf({
    usage: 'cp <path...>',
    summary: 'copy files within the store; the last argument is the destination',
    options: [...COPY, ...CONNECTION],
    examples: drive(
      'cp /registry/donors.csv /desk/',
      'cp -R /registry /registry-2026',
      'cp --convert /registry/donors.csv /desk/table',
    ),
    run: async (words, options) => (await files()).cpCommand(words, options),
  }),
  commandOf({
    usage: 'mkdir <path...>',
    summary: 'make folders',
    options: [...MAKE_FOLDER, ...CONNECTION],
    examples: drive(
      'mkdir /inbox',
      'mkdir -p /studies/2026/may',
      'mkdir /studies/2026/june /studies/2026/july',
    ),
    run: async (paths, options) => (await files()).mkdirCommand(paths, options),
  }),
  commandOf({
    usage: 'search [words...]',
    summary: 'find files by words in titles and contents',
    options: [...SEARCH, ...CONNECTION],
    examples: drive(
      'search donors',
      'search --in /registry 24:02',
      `search --query "modifiedDate > '2026-01-01'" -l`,
    ),
    run: async (words, options) => (await files()).searchCommand(words, options),
  }),
  commandOf({
    usage: 'trash [path...]',
    summary: 'put files into the trash, or list what is in it',
    options: [...LIST, ...CONNECTION],
    examples: drive('trash /desk/donors.csv', 'trash', 'trash -l'),
    run: async (paths, options) => (await files()).trashCommand(paths, options),
  }),
  commandOf({
    usage: 'untrash <path...>',
    summary: 'restore files from the trash, by their former path or id',
    options: CONNECTION,
    examples: drive('untrash /desk/donors.csv'),
    run: async (paths, options) => (await files()).untrashCommand(paths, options),
  }),
  commandOf({
    usage: 'empty-trash',
    summary: 'empty your trash for good',
    options: CONNECTION,
    examples: drive('empty-trash'),
    run: async (words, options) => (await files()).emptyTrashCommand(words, options),
  }),
  commandOf({
    usage: 'sync <folder> <path>',
    summary: 'synchronise a local folder with a folder of a store, in both directions',
    options: [...SYNC, ...CONNECTION],
    examples: drive('sync --dry-run cohort /inbox', 'sync cohort /inbox'),
    run: async (words, options) => (await import('./sync/sync.ts')).syncCommand(words, options),
  }),
  commandOf({
    usage: 'log <path>',
    summary: 'list the revisions of a file, or who read it, the newest first',
    options: [...LOG, ...CONNECTION],
    examples: drive('log /registry/donors.csv', 'log /registry/donors.csv --reads'),
    run: async ([path = ''], options) => (await files()).logCommand(path, options),
  }),
  {
    usage: 'link',
    summary: 'list links that open files without an account',
    description: 'Links that open files without an account; hla drive share makes and removes them.',
    commands: [
      commandOf({
        usage: 'list',
        summary: 'list the links of your files and when they end',
        options: [...LINK_LIST, ...CONNECTION],
        examples: drive('link list', 'link list --all', 'link list --json'),
        run: async (_, options) => (await files()).listLinksCommand(options),
      }),
    ],
  },
  {
    usage: 'rule',
    summary: 'make, list and remove rules of folders',
    description: 'Folder rules: the server converts each table that is put into the folder, once.',
    commands: [
      commandOf({
        usage: 'add <folder>',
        summary: 'have each new table of a folder reduced',
        options: [...RULE, ...CONNECTION],
        examples: drive('rule add /inbox', `rule add /registry -m G --match '*.csv' --to /desk`),
        run: async ([path = ''], options) => (await files()).addRuleCommand(path, options),
      }),
      commandOf({
        usage: 'list [folder]',
        summary: 'list rules and their results',
        options: [JSON_OUTPUT, ...CONNECTION],
        examples: drive('rule list', 'rule list /inbox'),
        run: async ([path = ''], options) => (await files()).listRulesCommand(path, options),
      }),
      commandOf({
        usage: 'remove <id>',
        summary: 'remove a rule; the files it made stay',
        options: CONNECTION,
        examples: drive(`rule remove ${EXAMPLE_IDS.rule}`),
        run: async ([id = ''], options) => (await files()).removeRuleCommand(id, options),
      }),
    ],
  },
  commandOf({
    usage: 'login',
    summary: 'sign in to a store, with a code that you type into a browser',
    options: [...LOGIN, ...CONNECTION],
    examples: drive('login', 'login --refresh-file refresh'),
    run: async (_, options) => (await import('./files/login.ts')).loginCommand(options),
  }),
  commandOf({
    usage: 'logout',
    summary: 'sign out of a store, on every machine that uses this sign-in',
    options: CONNECTION,
    examples: drive('logout'),
    run: async (_, options) => (await import('./files/login.ts')).logoutCommand(options),
  }),
]
