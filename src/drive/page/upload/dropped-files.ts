/** Files that were dropped, those in dropped folders with their paths. */

export interface PathFile {
  readonly file: File
  /** Names of the folders that it is in, from the one that was chosen. */
  readonly folders: readonly string[]
}

/** The list of what was dropped is gone after the event: it is read before anything else. */
export async function droppedFiles(dropped: DataTransfer): Promise<PathFile[]> {
  const entries = [...dropped.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    return entry === null ? [] : [entry]
  })
  // what a program makes up has no entries
  if (entries.length === 0) return [...dropped.files].map((file) => ({ file, folders: [] }))
  const found: PathFile[] = []
  for (const entry of entries) await walk(entry, [], found)
  return found
}

async function walk(entry: FileSystemEntry, folders: readonly string[], found: PathFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ file, folders })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // a part of it at a time, until there is no more
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return
    for (const one of some) await walk(one, [...folders, entry.name], found)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/** Of a chosen folder. */
export function chosenFiles(files: Iterable<File>): PathFile[] {
  return [...files].map((file) => ({
    file,
    folders: file.webkitRelativePath
      .split('/')
      .filter((name) => name !== '')
      .slice(0, -1),
  }))
}
