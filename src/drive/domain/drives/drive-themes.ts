/** Themes of shared drives (spec 17): a name and a colour; there are no pictures. */
import { randomInt } from 'node:crypto'
import { invalid } from '../../contract/failure.ts'

export const DRIVE_THEMES: readonly { readonly id: string; readonly colorRgb: string }[] = [
  { id: 'birch', colorRgb: '#795548' },
  { id: 'cornflower', colorRgb: '#3f51b5' },
  { id: 'elder', colorRgb: '#512da8' },
  { id: 'fern', colorRgb: '#0f9d58' },
  { id: 'heather', colorRgb: '#8e24aa' },
  { id: 'lichen', colorRgb: '#607d8b' },
  { id: 'poppy', colorRgb: '#db4437' },
  { id: 'rain', colorRgb: '#0288d1' },
]

/** @throws 400 */
export function themeColor(id: string): string {
  const theme = DRIVE_THEMES.find((one) => one.id === id)
  if (theme === undefined) throw invalid(`There is no theme ${id.slice(0, 100)}.`, 'themeId')
  return theme.colorRgb
}

export function anyTheme(): string {
  return DRIVE_THEMES[randomInt(DRIVE_THEMES.length)]?.id ?? 'fern'
}

/** @throws 400 */
export function mustBeColor(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw invalid(`Not a colour: ${text.slice(0, 100)}`, 'colorRgb')
  return text.toLowerCase()
}
