/** What the page says of what is done: a line that screen readers read out. */
import { part } from '../../web/page/elements.ts'
import { describeError } from './service.ts'

export function say(text: string, isFailure = false): void {
  const status = part('status')
  status.className = isFailure ? 'failed' : ''
  status.textContent = text
}

/** Does it, and says that it is done, or why it is not. */
export async function attempt(done: string | undefined, act: () => Promise<unknown>): Promise<void> {
  if (done !== undefined) say('')
  try {
    await act()
    if (done !== undefined) say(done)
  } catch (error) {
    say(describeError(error), true)
  }
}

/** `21 Nov 2026, 20:15` */
export function dateText(date: string): string {
  return new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}
