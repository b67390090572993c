/** Threads and processes of the program, and shell completion: first word -> its work. */
import { loadPrograms } from './commands/programs.ts'
import {
  COMPLETE_WORD,
  DIGEST_WORD,
  LISTER_WORD,
  RULE_WORD,
  SERVICE_WORD,
  STORED_WORD,
  WRITER_WORD,
} from './worker-word.ts'

export const PARTS = new Map<string, (words: readonly string[]) => Promise<void>>([
  [WRITER_WORD, async () => (await import('../drive/serve/writer.ts')).runWriter()],
  [DIGEST_WORD, async () => (await import('../drive/persistence/contents/digest-threads.ts')).serveDigests()],
  [LISTER_WORD, async ([word = '']) => (await import('../drive/api/lists/lister.ts')).serveLists(word)],
  [RULE_WORD, async () => (await import('../drive/rules/rule-thread.ts')).runRuleThread()],
  [SERVICE_WORD, async () => (await import('./run/serve/service-thread.ts')).runServiceThread()],
  [STORED_WORD, async () => (await import('../drive/commands/tables/table-converter.ts')).runStoredTables()],
  [
    COMPLETE_WORD,
    async (words) => (await import('./run/completion/answer.ts')).answerShell(words, await loadPrograms()),
  ],
])
