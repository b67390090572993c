/** Where files are chosen to be sent; what is dropped on the page is sent there too. */
import { button, element } from '../../../web/page/elements.ts'
import { takeDroppedFiles } from '../drag.ts'
import { chosenFiles, type PathFile } from './dropped-files.ts'
import type { UploadTransfer } from './transfer.ts'
import { sendFiles } from './uploads.ts'

/** Files are sent as soon as they are chosen or dropped. */
export function uploadArea(to: UploadTransfer['to'], done: () => Promise<void>): HTMLElement {
  const isFolder = 'folder' in to
  const input = element('input', { id: 'upload', type: 'file', multiple: isFolder })
  const area = element(
    'div',
    { class: 'drop' },
    element('label', { for: 'upload' }, isFolder ? 'Upload files' : 'Upload a new version'),
    input,
    isFolder ? folderChooser((files) => take(files)) : undefined,
    element(
      'p',
      { class: 'hint' },
      isFolder
        ? 'or drop files and folders anywhere on the page. Interrupted uploads resume.'
        : 'or drop it anywhere on the page. Interrupted uploads resume.',
    ),
  )
  const take = (files: readonly PathFile[]) =>
    sendFiles(isFolder ? files : files.slice(0, 1), to, () => {
      if (area.isConnected) void done()
    })
  takeChoice(input, take)
  takeDroppedFiles(take)
  return area
}

function folderChooser(take: (files: readonly PathFile[]) => void): HTMLElement {
  const input = element('input', { id: 'upload-folder', type: 'file', webkitdirectory: true, hidden: true })
  takeChoice(input, take)
  input.setAttribute('aria-label', 'Upload a folder')
  return element(
    'span',
    {},
    button('Upload a folder', () => input.click()),
    input,
  )
}

function takeChoice(input: HTMLInputElement, take: (files: readonly PathFile[]) => void): void {
  input.addEventListener('change', () => {
    if (input.files !== null) take(chosenFiles(input.files))
    // so that the same file can be chosen again
    input.value = ''
  })
}
