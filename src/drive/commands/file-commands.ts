/** Commands for the files of a store, the daily ones first. */
import { type CommandSpec, late } from '../../cli/options/declare-command.ts'
import { command, EXAMPLE_IDS, group } from './store-command.ts'
import { CONNECTION, COPY, GET, JSON_OUTPUT, LINK_LIST, LIST, LOG, LOGIN } from './options/file-options.ts'
import { MAKE_FOLDER, PUT, REMOVE, RULE, SEARCH, SHARE, SYNC } from './options/file-options.ts'

const trash = () => import('./files/trash.ts')
const rule = () => import('./files/rule.ts')
const signIn = () => import('./files/login.ts')

export const FILE_COMMANDS: readonly CommandSpec[] = [
  command('share <path>', 'list and change the permissions of a file', SHARE, late(() => import('./files/share.ts'), 'shareCommand'), [
    ['share /registry/donors.csv --with ben@lab.example', `WHO              ROLE    INHERITED  LINK   EXPIRES
ben@lab.example  reader  false      false  -
owner@localhost  owner   false      false  -`],
    'share /registry --with group:typing@lab.example --role writer',
    'share /registry/donors.csv --link --expires 168h --downloads 5',
    'share /registry/donors.csv',
    'share /registry/donors.csv --remove ben@lab.example',
  ]),
  command('put <file...>', 'store files; the last argument is the destination', PUT, late(() => import('./files/put.ts'), 'putCommand'), [
    'put donors.csv /registry/',
    'put -p donors.csv patients.csv /studies/2026/',
    'put --convert donors.csv /registry/cohort',
  ]),
  command('get <path>', 'fetch a file, or an older revision of it', GET, late(() => import('./files/get.ts'), 'getCommand'), [
    'get /registry/donors.csv -o registry.csv',
    'get /registry/cohort --as xlsx -o cohort.xlsx',
    'get /registry/cohort --reduce lgx -o cohort.lgx.csv',
    `get /registry/donors.csv -o old.csv \\\n    --revision ${EXAMPLE_IDS.revision}`,
  ]),
  command('ls [path...]', 'list the contents of folders in a store', LIST, late(() => import('./files/ls.ts'), 'lsCommand'), [
    ['ls /registry', 'cohort\ndonors.csv'],
    'ls -l /registry',
    'ls /registry --json',
  ]),
  command('rm <path...>', 'put files into the trash, or remove them for ever', REMOVE, late(() => import('./files/rm.ts'), 'rmCommand'), [
    'rm /studies/2026/patients.csv',
    'rm -R /studies/2026',
    'rm -R --forever /studies',
  ]),
  command('mv <path...>', 'move or rename files and folders; the last argument is the destination', CONNECTION, late(() => import('./files/mv.ts'), 'mvCommand'), [
    'put -p donors.csv /desk/draft.csv',
    'mv /desk/draft.csv /desk/final.csv',
    'mv /desk/final.csv /registry/',
  ]),
  command('cp <path...>', 'copy files within the store; the last argument is the destination', COPY, late(() => import('./files/cp.ts'), 'cpCommand'), [
    'cp /registry/donors.csv /desk/',
    'cp -R /registry /registry-2026',
    'cp --convert /registry/donors.csv /desk/table',
  ]),
  command('mkdir <path...>', 'make folders', MAKE_FOLDER, late(() => import('./files/mkdir.ts'), 'mkdirCommand'), [
    'mkdir /inbox',
    'mkdir -p /studies/2026/may',
    'mkdir /studies/2026/june /studies/2026/july',
  ]),
  command('search [words...]', 'find files by words in titles and contents', SEARCH, late(() => import('./files/search.ts'), 'searchCommand'), [
    'search donors',
    'search --in /registry 24:02',
    `search --query "modifiedDate > '2026-01-01'" -l`,
  ]),
  command('trash [path...]', 'put files into the trash, or list what is in it', LIST, late(trash, 'trashCommand'), [
    'trash /desk/donors.csv',
    'trash',
    'trash -l',
  ]),
  command('untrash <path...>', 'restore files from the trash, by their former path or id', CONNECTION, late(trash, 'untrashCommand'), [
    'untrash /desk/donors.csv',
  ]),
  command('empty-trash', 'empty your trash for good', CONNECTION, late(trash, 'emptyTrashCommand'), ['empty-trash']),
  command('sync <folder> <path>', 'synchronise a local folder with a folder of a store, in both directions', SYNC, late(() => import('./sync/sync.ts'), 'syncCommand'), [
    'sync --dry-run cohort /inbox',
    'sync cohort /inbox',
  ]),
  command('log <path>', 'list the revisions of a file, or who read it, the newest first', LOG, late(() => import('./files/log.ts'), 'logCommand'), [
    'log /registry/donors.csv',
    'log /registry/donors.csv --reads',
  ]),
  group('link', 'list links that open files without an account', 'Links that open files without an account; hla drive share makes and removes them.', [
    command('list', 'list the links of your files and when they end', LINK_LIST, late(() => import('./files/link.ts'), 'listLinksCommand'), [
      'link list',
      'link list --all',
      'link list --json',
    ]),
  ]),
  group('rule', 'make, list and remove rules of folders', 'Folder rules: the server converts each table that is put into the folder, once.', [
    command('add <folder>', 'have each new table of a folder reduced', RULE, late(rule, 'addRuleCommand'), [
      'rule add /inbox',
      `rule add /registry -m G --match '*.csv' --to /desk`,
    ]),
    command('list [folder]', 'list rules and their results', [JSON_OUTPUT, ...CONNECTION], late(rule, 'listRulesCommand'), [
      'rule list',
      'rule list /inbox',
    ]),
    command('remove <id>', 'remove a rule; the files it made stay', CONNECTION, late(rule, 'removeRuleCommand'), [
      `rule remove ${EXAMPLE_IDS.rule}`,
    ]),
  ]),
  command('login', 'sign in to a store, with a code that you type into a browser', LOGIN, late(signIn, 'loginCommand'), [
    'login',
    'login --refresh-file refresh',
  ]),
  command('logout', 'sign out of a store, on every machine that uses this sign-in', CONNECTION, late(signIn, 'logoutCommand'), [
    'logout',
  ]),
] // prettier-ignore
