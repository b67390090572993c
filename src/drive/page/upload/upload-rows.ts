/** The uploads of this page as rows of a panel, which can be folded, and closed when they are over. */
import { button, element, part } from '../../../web/page/elements.ts'

export interface UploadRow {
  running(stop: () => void): void
  moved(held: number, text: string): void
  say(text: string): void
  over(text: string): void
  failed(text: string, again: () => void): void
}

export function showRow(title: string, size: number): UploadRow {
  const bar = element('progress', { max: `${Math.max(1, size)}`, value: '0', 'aria-label': title })
  const [text, action] = [element('span', { class: 'hint' }), element('span')]
  const row = element('li', {}, element('span', { class: 'name' }, title), bar, text, action)
  part('uploads').hidden = false
  part('upload-list').append(row)
  const say = (words: string) => (text.textContent = words)
  const end = (words: string, isWhole: boolean) => {
    say(words)
    bar.hidden = true
    row.dataset['over'] = ''
    countRunning()
    if (isWhole) action.replaceChildren()
  }
  return {
    say,
    running(stop) {
      say('Waiting')
      delete row.dataset['over']
      countRunning()
      bar.hidden = false
      action.replaceChildren(button('Stop', stop, { 'aria-label': `Stop ${title}` }))
    },
    moved(held, words) {
      bar.value = held
      say(words)
    },
    over: (words) => end(words, true),
    failed(words, again) {
      end(words, false)
      action.replaceChildren(button('Try again', again, { 'aria-label': `Try again: ${title}` }))
    },
  }
}

/** What is over goes; what is under way stays, and keeps the panel. */
export function closeUploads(): void {
  for (const row of part('upload-list').querySelectorAll('[data-over]')) row.remove()
  part('uploads').hidden = part('upload-list').childElementCount === 0
}

function countRunning(): void {
  const running = part('upload-list').querySelectorAll('li:not([data-over])').length
  part('uploads-title').textContent = running === 0 ? 'Uploads' : `Uploads (${running} under way)`
}
