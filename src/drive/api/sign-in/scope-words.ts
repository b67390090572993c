/** What a program asks for, in the words of who allows it. */
import type { Scope } from '../../contract/caller.ts'
import { type Html, html } from './html.ts'

const WORDS: Readonly<Record<Scope, string>> = {
  drive: 'see, change, share and delete all your files',
  'drive.readonly': 'see and download all your files',
  'drive.file': 'see and change the files that it made or opened itself',
  'drive.appdata': 'keep data of its own beside your files',
  'drive.metadata': 'see and change names and properties of your files, not what is in them',
  'drive.metadata.readonly': 'see names and properties of your files, not what is in them',
  'drive.apps.readonly': 'see which programs you use with the files',
  'drive.photos.readonly': 'see your photographs',
  'drive.meet.readonly': 'see files that were made in meetings',
  'drive.scripts': 'change how your scripts behave',
}

export function scopeList(scopes: readonly Scope[]): Html {
  return html`<ul>
    ${scopes.map((scope) => html`<li>${WORDS[scope]}</li>`)}
  </ul>`
}
