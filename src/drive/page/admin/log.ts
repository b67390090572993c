/** What was administered, by whom: here and on the command line. */
import { element } from '../../../web/page/elements.ts'
import { dateText } from '../talk.ts'
import { adminListing } from './admin-list.ts'
import type { AdminRecord } from './requests.ts'

const WORDS: ReadonlyMap<string, string> = new Map([
  ['addUser', 'added the user'],
  ['changeUser', 'changed the user'],
  ['removeUser', 'removed the user'],
  ['setPassword', 'changed the password of'],
  ['addGroup', 'added the group'],
  ['changeGroup', 'changed the group'],
  ['removeGroup', 'removed the group'],
  ['addMembers', 'added members to'],
  ['removeMembers', 'removed members from'],
  ['addToken', 'made the token'],
  ['revokeToken', 'revoked the token'],
  ['addAccount', 'added the service account'],
  ['removeAccount', 'removed the service account'],
  ['addKey', 'added a key to'],
  ['changeKey', 'changed the key'],
  ['rotateKey', 'replaced the key'],
  ['removeKey', 'revoked the key'],
  ['addClient', 'added the program'],
  ['changeClient', 'changed the program'],
  ['removeClient', 'removed the program'],
  ['putLabel', 'defined the label'],
  ['removeLabel', 'removed the label'],
  ['setLimit', 'set the limit'],
])

export function logView(): Node[] {
  const { node } = adminListing<AdminRecord>({
    path: 'log',
    what: 'entry',
    columns: ['When', 'Who', 'Did', 'How'],
    row: ({ date, by, command, subject, detail }) => [
      element('time', { datetime: date }, dateText(date)),
      by ?? 'the operator',
      `${WORDS.get(command) ?? command} ${subject}`,
      Object.entries(detail)
        .filter(([, value]) => value !== subject)
        .map(([name, value]) => `${name}: ${describeValue(name, value)}`)
        .join(', '),
    ],
  })
  return [node]
}

function describeValue(name: string, value: unknown): string {
  if (value === null) return 'none'
  if (name === 'expires' && typeof value === 'number') return dateText(new Date(value).toISOString())
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
