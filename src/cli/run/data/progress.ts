/** A line on the terminal that shows how far a download is. [terminal] */
import type { FetchProgress } from '../../../reference/published/fetch-release.ts'
import type { DataContext } from './context.ts'

export interface InstallProgress {
  readonly show: (progress: FetchProgress) => void
  readonly stop: () => void
}

/** Nothing is shown, and ora not loaded, unless somebody watches. */
export async function startProgress(context: DataContext, text: string): Promise<InstallProgress> {
  if (!context.isTerminal) return { show: () => undefined, stop: () => undefined }
  const { default: ora } = await import('ora')
  const spinner = ora({ text, stream: process.stderr }).start()
  return {
    show: ({ files, bytes, name }) => {
      spinner.text = `${text}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB (${name})`
    },
    stop: () => spinner.stop(),
  }
}
