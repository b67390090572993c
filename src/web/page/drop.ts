/** Area that accepts dropped files. */

export function takeDrops(area: HTMLElement, take: (files: FileList) => void): void {
  const over = (isOver: boolean) => area.classList.toggle('over', isOver)
  for (const type of ['dragenter', 'dragover']) {
    area.addEventListener(type, (event) => {
      event.preventDefault()
      over(true)
    })
  }
  area.addEventListener('dragleave', () => over(false))
  area.addEventListener('drop', (event) => {
    event.preventDefault()
    over(false)
    const files = event.dataTransfer?.files
    if (files !== undefined && files.length > 0) take(files)
  })
}
